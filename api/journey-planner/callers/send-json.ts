/** Sends a refusal of a request whose body may be unread. Callers: the caller guard and the GraphQL router. */
import type { Request, Response } from 'express';
import { findRequestContext } from '../../shared/request-context.ts';
import { sendBytes } from '../../shared/send.ts';

/** Sends the body; the status must be set before. The rest of the request's body is not parsed as the next request. */
export function sendJson(request: Request, response: Response, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', bytes.length);
  const sendContinue = findRequestContext(request)?.sendContinue;
  // Sending fails only with the connection, and then nobody waits for the answer.
  sendBytes({ request, response, sendContinue }, bytes).catch(() => response.destroy());
}
