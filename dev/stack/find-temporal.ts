/** Which Temporal a command of this folder means: the environment's, else the local stack's. Callers: commands for operators. */
import type { TemporalConfig } from '../../platform/temporal/temporal.ts';
import { LocalState } from './local-state.ts';

export const NO_TEMPORAL = 'Samferd does not run from this folder: npm start, or set TEMPORAL_ADDRESS and PAYLOAD_KEYS';

/** `directory`: of a local stack that keeps its state elsewhere. Undefined: there is neither. */
export function findTemporal(directory: string | undefined): TemporalConfig | undefined {
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE = 'default', PAYLOAD_KEYS } = process.env;
  if (TEMPORAL_ADDRESS && PAYLOAD_KEYS) return { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS };
  const state = new LocalState(directory);
  const endpoints = state.read('endpoints.json') as Record<string, string> | undefined;
  const secrets = state.read('secrets.json') as Record<string, string> | undefined;
  const payloadKeys = PAYLOAD_KEYS || secrets?.payloadKeys;
  if (!endpoints?.temporal || !payloadKeys) return undefined;
  return { TEMPORAL_ADDRESS: endpoints.temporal, TEMPORAL_NAMESPACE, PAYLOAD_KEYS: payloadKeys };
}
