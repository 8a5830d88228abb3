/** What the wiring takes of the Worker under test, whose configuration is right. */
import {
  type ApiDeployment,
  type ApiEnv,
  apiDeployment,
  type OwnerDeployment,
  type OwnerEnv,
  ownerDeployment,
} from "../../../src/env.ts";

export function apiOver(env: ApiEnv): ApiDeployment {
  const deployment = apiDeployment(env);
  if (!deployment.ok) throw new Error(`${deployment.error.variable} is missing or wrong`);
  return deployment.value;
}

export function ownerOver(env: OwnerEnv): OwnerDeployment {
  const deployment = ownerDeployment(env);
  if (!deployment.ok) throw new Error(`${deployment.error.variable} is missing or wrong`);
  return deployment.value;
}
