/** The Temporal server of the installation that a command works on. Callers: the commands about signing keys and builds of workers. */
import type { TemporalConfig } from '../platform/temporal/temporal.ts';
import { describeMissing, findInstallation } from './installation.ts';

const NEEDED = ['TEMPORAL_ADDRESS', 'PAYLOAD_KEYS'] as const;

export const NO_TEMPORAL = describeMissing(NEEDED);

/** `directory`: see {@link findInstallation}, which also says when there is none. */
export function findTemporal(directory: string | undefined): TemporalConfig | undefined {
  const settings = findInstallation(NEEDED, directory);
  if (!settings) return undefined;
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE = 'default', PAYLOAD_KEYS } = settings;
  return { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS };
}
