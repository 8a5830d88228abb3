export const root: string;
export class SetupError extends Error {}
export function installPackages(): void;
export function toolNode(): string;
export function toolEnvironment(node: string): Record<string, string | undefined>;
export function whenParentIsGone(stop: () => void): void;
