/** Properties that follow from an operation's description: its scopes, whether it takes a key, a channel or a settlement. Pure. */
import { type Json, toJson } from './openapi-reference.ts';

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** Undefined when the operation needs no token. Throws when it names several schemes. */
export function scopesOf(root: Json, operation: Json): readonly string[] | undefined {
  const security = operation.security ?? root.security;
  if (!Array.isArray(security) || security.length === 0) return undefined;
  const [requirement, ...others] = security;
  const [scopes, ...schemes] = Object.values(toJson(requirement, 'security'));
  if (others.length > 0 || schemes.length > 0 || !Array.isArray(scopes)) {
    throw new Error(`${operation.operationId} must have one security scheme`);
  }
  return scopes.map(String);
}

/** A key belongs to a client, so an operation without a token takes none. */
export function takesIdempotencyKey(root: Json, operation: Json, method: string): boolean {
  return method !== 'get' && operation['x-idempotency-key'] !== false && scopesOf(root, operation) !== undefined;
}

export type ChannelUse = 'required' | 'optional';

/** `x-distribution-channel`. A channel is granted to an organisation, so an operation without a token takes none. */
export function channelUseOf(root: Json, operation: Json): ChannelUse | undefined {
  const use = operation['x-distribution-channel'];
  if (use === undefined) return undefined;
  if ((use !== 'required' && use !== 'optional') || scopesOf(root, operation) === undefined) {
    throw new Error(`${operation.operationId}: x-distribution-channel must be required or optional, with a token`);
  }
  return use;
}

/** `x-settlement: optional`. A settlement is an organisation's, so an operation without a token takes none. */
export function takesSettlement(root: Json, operation: Json): boolean {
  const use = operation['x-settlement'];
  if (use === undefined) return false;
  if (use !== 'optional' || scopesOf(root, operation) === undefined) {
    throw new Error(`${operation.operationId}: x-settlement must be optional, with a token`);
  }
  return true;
}
