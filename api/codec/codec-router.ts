/**
 * `POST /decode` and `/encode`, by which the Temporal UI and the `temporal` command read and write sealed payloads. A
 * caller that decodes can read all data of workflows, and one that encodes can write data that workers trust. So each
 * needs a token with its own scope; in development the Temporal UI needs none. It never logs payloads, nor the reason
 * of a failure. Caller: api/codec/server.ts.
 *
 * Temporal's callers send the namespace (`X-Namespace`) and no workflow. A payload to decode names its workflow itself;
 * to encode one, the caller adds `X-Workflow-Id`. Payloads without the seal, such as search attributes, are returned
 * unchanged: workers refuse them.
 */
import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import { Router } from 'express';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { isSealed, openPayload, sealPayload } from '../../platform/temporal/payload-codec.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { parseJsonBody } from '../shared/json.ts';
import { toJson } from '../shared/openapi-reference.ts';
import type { Caller } from '../shared/operation.ts';
import { checkContentType, readBody } from '../shared/request-body.ts';
import { getRequestContext, type RequestContext } from '../shared/request-context.ts';
import { sendReply } from '../shared/send.ts';

const SCOPES = { '/decode': 'payloads:decode', '/encode': 'payloads:encode' } as const;
/** Temporal sends up to 4 MiB at once, 5.6 MB in base64. */
export const CODEC_BODY_LIMIT_BYTES = 8 * 1024 * 1024;
/** A page of the Temporal UI holds some thousand payloads of a few values each. */
const CODEC_MAX_VALUES = 100_000;
const CODEC_BODY_TIMEOUT_MS = 30_000;

export interface CodecOptions {
  readonly keys: KeyRing;
  /** Origins of the Temporal UI. Pages of other origins are refused. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly verifyToken: (context: RequestContext) => Promise<Caller>;
  /** Development only: a person who can open the UI there can read the keys too. */
  readonly trustsUi: boolean;
}

const { Payloads } = proto.temporal.api.common.v1;
const OPERATIONS = { '/decode': 'decodePayloads', '/encode': 'encodePayloads' } as const;

export function createCodecRouter(options: CodecOptions): Router {
  const router = Router();
  for (const path of ['/decode', '/encode'] as const) {
    router.all(path, async (request) => {
      const context = getRequestContext(request);
      context.route = path;
      context.operationId = OPERATIONS[path];
      if (request.method !== 'POST') {
        throw new ServiceError('METHOD_NOT_ALLOWED', 'This path takes POST.', { headers: { allow: 'POST' } });
      }
      await authorise(context, options, SCOPES[path]);
      const payloads = await readPayloads(context);
      const result = path === '/decode' ? decode(context, options, payloads) : encode(context, options, payloads);
      const json = Payloads.toObject(Payloads.create({ payloads: result }), { bytes: String });
      await sendReply(context, { status: 200, json });
    });
  }
  return router;
}

function decode(context: RequestContext, { keys }: CodecOptions, payloads: Payload[]): Payload[] {
  const namespace = readHeader(context, 'X-Namespace');
  return transform(() => payloads.map((each) => (isSealed(each) ? openPayload(keys, each, { namespace }) : each)));
}

function encode(context: RequestContext, { keys }: CodecOptions, payloads: Payload[]): Payload[] {
  const [namespace, workflowId] = [readHeader(context, 'X-Namespace'), readHeader(context, 'X-Workflow-Id')];
  return transform(() => payloads.map((each) => sealPayload(keys, each, { namespace, workflowId })));
}

function readHeader({ request }: RequestContext, name: string): string {
  const value = request.headers[name.toLowerCase()];
  if (typeof value === 'string' && value !== '') return value;
  throw new ServiceError(
    'VALIDATION_FAILED',
    `The header ${name} is missing: a payload is bound to its namespace and workflow.`,
  );
}

async function authorise(
  context: RequestContext,
  { allowedOrigins, verifyToken, trustsUi }: CodecOptions,
  scope: string,
): Promise<void> {
  const { origin } = context.request.headers;
  if (origin !== undefined && !allowedOrigins.has(origin)) {
    throw new ServiceError(
      'ORIGIN_FORBIDDEN',
      'Pages of this origin have no access. Add the origin of the Temporal UI to CODEC_ORIGINS.',
    );
  }
  if (trustsUi && origin !== undefined) return;
  context.caller = await verifyToken(context);
  context.log = context.log.child({ clientId: context.caller.clientId });
  if (!context.caller.scopes.has(scope)) {
    throw new ServiceError('INSUFFICIENT_SCOPE', `The access token lacks the scope ${scope}.`);
  }
}

async function readPayloads(context: RequestContext) {
  // A form of another page cannot send this media type without a preflight.
  checkContentType(context.request, ['application/json']);
  const body = parseJsonBody(await readBody(context, CODEC_BODY_TIMEOUT_MS, CODEC_BODY_LIMIT_BYTES), CODEC_MAX_VALUES);
  return transform(() => Payloads.fromObject(toJson(body, 'body')).payloads ?? []);
}

/** Drops the cause of an error: it may quote the payload. */
function transform<Result>(act: () => Result): Result {
  try {
    return act();
  } catch {
    throw new ServiceError(
      'VALIDATION_FAILED',
      'The payloads cannot be opened: changed, of another namespace, or sealed with a key that PAYLOAD_KEYS lacks.',
    );
  }
}
