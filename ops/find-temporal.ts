/**
 * Finds the Temporal server of the installation that a command works on. Callers: the commands for signing keys and
 * worker builds.
 */
import { parseConfig, temporalShape } from '../platform/config.ts';
import type { TemporalConfig } from '../platform/temporal/temporal.ts';
import { describeMissing, findInstallation } from './installation.ts';

const NEEDED = ['TEMPORAL_ADDRESS', 'PAYLOAD_KEYS'] as const;

export const NO_TEMPORAL = describeMissing(NEEDED);

/** `directory` is that of {@link findInstallation}, which also explains a missing installation. */
export function findTemporal(directory: string | undefined): TemporalConfig | undefined {
  const settings = findInstallation(NEEDED, directory);
  if (!settings) return undefined;
  return parseConfig(temporalShape, settings);
}
