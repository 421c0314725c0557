/**
 * What the Temporal UI and the `temporal` command ask to show payloads in the clear: `POST /decode`, and `/encode` for what they
 * send. Whoever may decode reads everything that workflows carry, so a token of the scope `payloads:decode` is needed; in
 * development a page of the Temporal UI needs none. Caller: api/codec/server.ts. Never logs what it decodes, nor why it could not.
 */
import type { PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { Router } from 'express';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { parseJsonBody } from '../shared/json.ts';
import type { Caller } from '../shared/operation.ts';
import { BODY_TIMEOUT_MS, checkContentType, readBody } from '../shared/request-body.ts';
import { getRequestContext, type RequestContext } from '../shared/request-context.ts';
import { sendReply } from '../shared/send.ts';

export const DECODE_SCOPE = 'payloads:decode';
/** Temporal hands out 4 MiB at once, which base64 makes 5.6 MB. */
export const CODEC_BODY_LIMIT_BYTES = 8 * 1024 * 1024;

export interface CodecOptions {
  readonly codec: PayloadCodec;
  /** Of the Temporal UI; pages of any other get no answer. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly verifyToken: (context: RequestContext) => Promise<Caller>;
  /** Development: who can open the UI's port can read the keys, too. */
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
        throw new ServiceError('METHOD_NOT_ALLOWED', 'Only POST is known here.', { headers: { allow: 'POST' } });
      }
      await admit(context, options);
      const payloads = await readPayloads(context);
      const result = await transform(() => options.codec[path === '/decode' ? 'decode' : 'encode'](payloads));
      const json = Payloads.toObject(Payloads.create({ payloads: result }), { bytes: String });
      await sendReply(context, { status: 200, json });
    });
  }
  return router;
}

async function admit(context: RequestContext, { allowedOrigins, verifyToken, trustsUi }: CodecOptions): Promise<void> {
  const { origin } = context.request.headers;
  if (origin !== undefined && !allowedOrigins.has(origin)) {
    throw new ServiceError('ORIGIN_FORBIDDEN', 'Only the pages of the Temporal UI may ask.');
  }
  if (trustsUi && origin !== undefined) return;
  context.caller = await verifyToken(context);
  context.log = context.log.child({ clientId: context.caller.clientId });
  if (!context.caller.scopes.has(DECODE_SCOPE)) {
    throw new ServiceError('INSUFFICIENT_SCOPE', `The access token lacks the scope ${DECODE_SCOPE}.`);
  }
}

async function readPayloads(context: RequestContext) {
  // Not what a form of another page can send without asking first.
  checkContentType(context.request, ['application/json']);
  const body = parseJsonBody(await readBody(context, BODY_TIMEOUT_MS, CODEC_BODY_LIMIT_BYTES));
  return await transform(async () => {
    const { payloads } = Payloads.fromObject(body as Record<string, unknown>);
    return payloads ?? [];
  });
}

/** Its errors may hold what was sent: they go nowhere. */
async function transform<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch {
    throw new ServiceError('VALIDATION_FAILED', 'These are no payloads that the configured keys open.');
  }
}
