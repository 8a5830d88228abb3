export interface ErrorDetail {
  /** `lines.2.tax_rate`; lines are counted from 0. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface ErrorBody {
  readonly success: false;
  readonly error: string;
  readonly error_code: string;
  readonly retryable: boolean;
  readonly request_id: string;
  readonly details?: readonly ErrorDetail[];
}

export interface SuccessBody {
  readonly success: true;
  readonly data: object;
  readonly replayed?: boolean;
}

export function jsonResponse(
  status: number,
  body: ErrorBody | SuccessBody,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  });
}
