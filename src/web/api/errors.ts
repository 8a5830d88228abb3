/** A refusal of the API, in its one form of errors. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly details: readonly ErrorDetail[];

  constructor(response: {
    readonly status: number;
    readonly message: string;
    readonly code: string;
    readonly requestId: string;
    readonly details: readonly ErrorDetail[];
  }) {
    super(response.message);
    this.status = response.status;
    this.code = response.code;
    this.requestId = response.requestId;
    this.details = response.details;
  }
}

/** No response arrived; the typed values are kept. */
export class OfflineError extends Error {}

interface Refused {
  readonly status: number;
  readonly headers: Headers;
  json(): Promise<unknown>;
}

export async function errorFrom(response: Refused): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => ({}));
  return new ApiError({
    status: response.status,
    message: textOf(body, "error"),
    code: textOf(body, "error_code") || "unknown",
    requestId: textOf(body, "request_id") || (response.headers.get("X-Request-Id") ?? ""),
    details: detailsOf(body),
  });
}

function detailsOf(body: unknown): ErrorDetail[] {
  const details = member(body, "details");
  if (!Array.isArray(details)) return [];
  return details.map((detail: unknown) => ({
    path: textOf(detail, "path"),
    code: textOf(detail, "code"),
    message: textOf(detail, "message"),
  }));
}

function textOf(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
