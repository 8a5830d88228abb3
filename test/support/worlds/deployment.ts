/** The parts of the Worker under test that the wiring uses; its configuration is right. */
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
