/**
 * `POST /decode` and `/encode`, by which the Temporal UI and the `temporal` command read and write encrypted payloads. A caller can
 * read all data of workflows, so it needs a token with the scope `payloads:decode`; in development the Temporal UI needs none.
 * Called by api/codec/server.ts. Never logs payloads, nor the reason of a failure.
 */
import type { PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { Router } from 'express';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { parseJsonBody } from '../shared/json.ts';
import { toJson } from '../shared/openapi-reference.ts';
import type { Caller } from '../shared/operation.ts';
import { BODY_TIMEOUT_MS, checkContentType, readBody } from '../shared/request-body.ts';
import { getRequestContext, type RequestContext } from '../shared/request-context.ts';
import { sendReply } from '../shared/send.ts';

export const DECODE_SCOPE = 'payloads:decode';
/** Temporal sends up to 4 MiB at once, 5.6 MB in base64. */
export const CODEC_BODY_LIMIT_BYTES = 8 * 1024 * 1024;

export interface CodecOptions {
  readonly codec: PayloadCodec;
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
      await authorise(context, options);
      const payloads = await readPayloads(context);
      const result = await transform(() => options.codec[path === '/decode' ? 'decode' : 'encode'](payloads));
      const json = Payloads.toObject(Payloads.create({ payloads: result }), { bytes: String });
      await sendReply(context, { status: 200, json });
    });
  }
  return router;
}

async function authorise(
  context: RequestContext,
  { allowedOrigins, verifyToken, trustsUi }: CodecOptions,
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
  if (!context.caller.scopes.has(DECODE_SCOPE)) {
    throw new ServiceError('INSUFFICIENT_SCOPE', `The access token lacks the scope ${DECODE_SCOPE}.`);
  }
}

async function readPayloads(context: RequestContext) {
  // A form of another page cannot send this media type without a preflight.
  checkContentType(context.request, ['application/json']);
  const body = parseJsonBody(await readBody(context, BODY_TIMEOUT_MS, CODEC_BODY_LIMIT_BYTES));
  return await transform(async () => {
    const { payloads } = Payloads.fromObject(toJson(body, 'body'));
    return payloads ?? [];
  });
}

/** Drops the cause of an error: it may quote the payload. */
async function transform<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch {
    throw new ServiceError(
      'VALIDATION_FAILED',
      'The payloads cannot be opened with the configured keys. Check PAYLOAD_KEYS.',
    );
  }
}
