/**
 * Reads a bounded request body and parses it by its media type. Called by the router for operations whose body the
 * document describes; bodies marked `x-streamed-body` never come here.
 */
import type { IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { parseJsonBody, removeNulls } from './json.ts';
import type { OperationEntry } from './openapi-document.ts';
import type { RequestContext } from './request-context.ts';
import { bodyTooSlow } from './slow-body.ts';

/** 256 KiB: ten times the largest order seen, and parsed in a few milliseconds. */
export const BODY_LIMIT_BYTES = 262_144;

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';

/** The media type of the request, when it is one of `allowed`; otherwise 415. */
export function checkContentType(request: IncomingMessage, allowed: readonly string[]): string {
  const { type, parameters } = parseContentType(request.headers['content-type'] ?? '');
  const charset = parameters.charset?.toLowerCase() ?? 'utf-8';
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (!allowed.includes(type)) {
    const types = allowed.join(' or ');
    const isMissing = request.headers['content-type'] === undefined && !hasBody(request);
    const detail = isMissing
      ? `The request has no body: send one, with the Content-Type ${types}.`
      : `The Content-Type of the body must be ${types}.`;
    throw unsupported(detail, allowed);
  }
  if (charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported('The body must be in UTF-8.', allowed);
  }
  if (encoding !== 'identity')
    throw unsupported('The body must not be compressed: send it without Content-Encoding.', allowed);
  return type;
}

function unsupported(detail: string, allowed: readonly string[]): ServiceError {
  return new ServiceError('UNSUPPORTED_MEDIA_TYPE', detail, { headers: { accept: allowed.join(', ') } });
}

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

export async function readBody(
  context: RequestContext,
  timeoutMs: number,
  limitBytes = BODY_LIMIT_BYTES,
): Promise<Buffer> {
  const { request } = context;
  const tooLarge = () => new ServiceError('PAYLOAD_TOO_LARGE', `The body must not exceed ${limitBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  context.sendContinue?.();
  context.sendContinue = undefined;
  return await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const timer = setTimeout(() => settle(() => reject(bodyTooSlow())), timeoutMs);
    const onData = (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) settle(() => reject(tooLarge()));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onAborted = () =>
      settle(() =>
        reject(
          new ServiceError(
            'REQUEST_TIMEOUT',
            'The connection closed before the whole body arrived. Send the request again.',
          ),
        ),
      );
    const settle = (act: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onAborted).off('error', onAborted);
      request.pause();
      // The socket may still report an error later, and an unhandled 'error' event ends the process.
      request.on('error', () => {});
      act();
    };
    request.on('data', onData).on('end', onEnd).on('close', onAborted).on('error', onAborted);
    // The connection closed while the token was checked: none of these events will come.
    if (request.destroyed) onAborted();
  });
}

/**
 * The parsed body: JSON with `null` members removed, or the members of a form as strings. An operation with a merge patch keeps
 * nulls under every JSON type.
 */
export function parseBody(
  bytes: Uint8Array,
  essence: string,
  { body, verbatim, bodyLimit }: Pick<OperationEntry, 'body' | 'verbatim' | 'bodyLimit'>,
): unknown {
  if (essence === FORM_TYPE) return parseForm(bytes);
  const value = parseJsonBody(bytes, bodyLimit?.values);
  if (!body.has(MERGE_PATCH_TYPE)) removeNulls(value, verbatim);
  return value;
}

/** Throws VALIDATION_FAILED for a repeated member. */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  const malformed = (pointer: string, detail: string) =>
    new ServiceError('VALIDATION_FAILED', `${pointer || 'The form'} ${detail}.`, {
      errors: [{ pointer, code: 'FORM', detail }],
    });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    for (const part of text.split(/[&=]/)) decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw malformed('', 'must be percent-encoded UTF-8');
  }
  const members = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (members.has(name)) throw malformed(`/${name}`, 'must not be repeated');
    if (value.includes('\0')) throw malformed(`/${name}`, 'must not contain NUL');
    // A parameter without a value counts as omitted (RFC 6749 §3.2).
    if (value !== '') members.set(name, value);
  }
  return Object.fromEntries(members);
}
