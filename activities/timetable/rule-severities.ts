/** Severities of rules that this installation changes, read once at start from the file in RULE_SEVERITIES. */
import { readFileSync } from 'node:fs';
import {
  joinSettings,
  parseSeveritySettings,
  type SeveritySettings,
  SHIPPED_SEVERITIES,
} from '../../netex/rules/severity-settings.ts';
import { ConfigError } from '../../platform/config.ts';

/** Throws a ConfigError that names the variable and the wrong entry. */
export function readRuleSeverities({
  RULE_SEVERITIES,
}: {
  readonly RULE_SEVERITIES?: string | undefined;
}): SeveritySettings {
  if (RULE_SEVERITIES === undefined) return SHIPPED_SEVERITIES;
  try {
    return joinSettings(SHIPPED_SEVERITIES, parseSeveritySettings(readFileSync(RULE_SEVERITIES, 'utf8')));
  } catch (error) {
    throw new ConfigError([`RULE_SEVERITIES: ${error instanceof Error ? error.message : error}`]);
  }
}
