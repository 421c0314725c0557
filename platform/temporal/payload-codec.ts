/**
 * Seals everything that Temporal stores for us: AES-256-GCM per payload, a random 96-bit nonce each. A payload is bound
 * to its namespace and workflow id, so it opens nowhere else. Several keys can be read and the first one writes, so a
 * key is replaced without a pause.
 *
 * Callers: clients and workers, by `platform/temporal/temporal.ts`; the codec server. Never logs a payload or a key. A
 * process refuses payloads without this seal, because any writer of Temporal could have made them.
 */
import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import proto from '@temporalio/proto';
import { openBytes, sealBytes } from '../keys/aes-gcm.ts';
import { type KeyRing, parseKeyRing } from '../keys/key-ring.ts';

const PayloadMessage = proto.temporal.api.common.v1.Payload;

const ENCODING = 'binary/sealed';
/** Bound to no workflow: what earlier revisions wrote. */
const FORMER_ENCODING = 'binary/encrypted';
/** The server adds this to the id of a workflow that a schedule starts. */
const SCHEDULED_TIME = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Where a payload belongs. */
export interface PayloadPlace {
  readonly namespace: string;
  readonly workflowId: string;
}

/** Reads `keyId:base64 of 32 bytes`, comma-separated, the writing key first. Never repeats a key in an error. */
export function parsePayloadKeys(text: string): KeyRing {
  return parseKeyRing(text, 'PAYLOAD_KEYS');
}

/**
 * `encode` throws without a workflow to bind to. `decode` never throws: the SDK ends the whole worker when a codec
 * does, so one forged signal would stop them all. It answers a payload that no converter reads. Converting it throws
 * with the reason, which fails only the workflow task, the activity, or the client's call.
 */
export function createPayloadCodec(ring: KeyRing): PayloadCodec {
  return {
    encode: async (payloads, context) => payloads.map((payload) => sealPayload(ring, payload, placeOf(context))),
    decode: async (payloads, context) => payloads.map((payload) => openOrRefuse(ring, payload, context)),
  };
}

function openOrRefuse(ring: KeyRing, payload: Payload, context: SerializationContext | undefined): Payload {
  try {
    return openPayload(ring, payload, placeOf(context));
  } catch (error) {
    // The converter names the encoding in its error.
    return { metadata: { encoding: bytesOf(`refused. ${error instanceof Error ? error.message : error}`) } };
  }
}

export function isSealed({ metadata }: Payload): boolean {
  return textOf(metadata?.encoding) === ENCODING;
}

export function sealPayload(ring: KeyRing, payload: Payload, place: PayloadPlace): Payload {
  const [keyId, workflowId] = [ring.writingKeyId, boundId(place.workflowId)];
  const bound = boundTo(keyId, place.namespace, workflowId);
  const data = sealBytes(keyOf(ring, keyId), PayloadMessage.encode(payload).finish(), bound);
  return {
    metadata: {
      encoding: bytesOf(ENCODING),
      'encryption-key-id': bytesOf(keyId),
      // For the codec server, whose callers do not say which workflow a payload comes from.
      'workflow-id': bytesOf(workflowId),
    },
    data,
  };
}

/**
 * Without a workflow id, opens the payload for the workflow that it names itself. Throws when it is unsealed or belongs
 * elsewhere.
 */
export function openPayload(ring: KeyRing, payload: Payload, place: Partial<PayloadPlace>): Payload {
  if (!isSealed(payload)) throw new Error(describeUnsealed(payload));
  const [keyId, workflowId] = [
    textOf(payload.metadata?.['encryption-key-id']),
    textOf(payload.metadata?.['workflow-id']),
  ];
  if (place.workflowId !== undefined && boundId(place.workflowId) !== workflowId) {
    throw new Error(`A payload of the workflow ${workflowId} is in the workflow ${place.workflowId}`);
  }
  const key = keyOf(ring, keyId);
  try {
    const bound = boundTo(keyId, place.namespace ?? '', workflowId);
    return PayloadMessage.decode(openBytes(key, payload.data ?? new Uint8Array(), bound));
  } catch (cause) {
    const where = `the workflow ${workflowId} in the namespace ${place.namespace}`;
    throw new Error(`A payload was changed, or was not sealed for ${where} by the key ${keyId}`, { cause });
  }
}

function placeOf(context: SerializationContext | undefined): PayloadPlace {
  if (!context?.workflowId) throw new Error('A payload outside a workflow can be neither sealed nor opened');
  return { namespace: context.namespace, workflowId: context.workflowId };
}

/** The runs of a schedule share one: the server hands a run the result of the run before. */
function boundId(workflowId: string): string {
  return workflowId.replace(SCHEDULED_TIME, '');
}

function boundTo(keyId: string, namespace: string, workflowId: string): string {
  return JSON.stringify([keyId, namespace, workflowId]);
}

function keyOf({ keys }: KeyRing, keyId: string): Uint8Array {
  const key = keys.get(keyId);
  if (key === undefined) throw new Error(`A payload was sealed with the key ${keyId}, which PAYLOAD_KEYS lacks`);
  return key;
}

function describeUnsealed({ metadata }: Payload): string {
  const encoding = textOf(metadata?.encoding);
  const seen = `A payload has the encoding ${JSON.stringify(encoding.slice(0, 64))} instead of ${ENCODING}`;
  return encoding === FORMER_ENCODING
    ? `${seen}: an earlier revision wrote it. docs/operations/temporal-access.md says how to upgrade`
    : `${seen}: this service did not write it`;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return bytes ? new TextDecoder().decode(bytes) : '';
}
