/**
 * Configured severities, per profile and per codespace: the codespace's wins over the profile's, the profile's over
 * the rule's own.
 *
 * Callers: the process that classifies datasets reads the settings once at start and chooses for each import; the
 * choice travels as `ValidationContext.severities`. Never switches a rule off: there is no such severity.
 */
import type { Severity } from '../finding.ts';
import type { Profile } from '../validation-context.ts';
import { findRule } from './catalogue.ts';
import { SYSTEM_ERROR } from './intake.ts';
import { PROFILE_SEVERITIES } from './profile-rules.ts';
import type { Rule } from './rule.ts';
import { XML_SCHEMA_ERROR } from './schema.ts';

export type SeverityTable = Readonly<Record<string, Severity>>;

export interface SeveritySettings {
  readonly profiles: Readonly<Partial<Record<Profile, SeverityTable>>>;
  /** By codespace in lower case, e.g. `rut`. */
  readonly codespaces: Readonly<Record<string, SeverityTable>>;
}

/** Defaults of the service. */
export const SHIPPED_SEVERITIES: SeveritySettings = { profiles: PROFILE_SEVERITIES, codespaces: {} };

export class SeveritySettingsError extends Error {}

const PROFILES = Object.keys(PROFILE_SEVERITIES) as Profile[];
const SEVERITIES: readonly string[] = ['CRITICAL', 'ERROR', 'WARNING', 'INFO'] satisfies Severity[];
/** With one of these findings the rest of the file is unknown: it must not pass. */
const NEVER_MILD: readonly Rule[] = [XML_SCHEMA_ERROR, SYSTEM_ERROR];

/** Parses `{profiles: {flex: {CODE: 'WARNING'}}, codespaces: {rut: {…}}}`. Throws {@link SeveritySettingsError}. */
export function parseSeveritySettings(json: string): SeveritySettings {
  const { profiles = {}, codespaces = {}, ...others } = readObject('the file', parseJson(json));
  for (const name of Object.keys(others)) fail(`"${name}" is neither "profiles" nor "codespaces"`);
  const profileTables = readTables('profiles', profiles, (name) => PROFILES.some((profile) => profile === name));
  const codespaceTables = readTables('codespaces', codespaces, (name) => /^[a-z]{3}$/.test(name));
  return { profiles: profileTables, codespaces: codespaceTables };
}

/** Merges two tables: codes missing in `own` keep their shipped severity. */
export function joinSettings(shipped: SeveritySettings, own: SeveritySettings): SeveritySettings {
  const profiles = PROFILES.map((name) => [name, { ...shipped.profiles[name], ...own.profiles[name] }] as const);
  return { profiles: Object.fromEntries(profiles), codespaces: { ...shipped.codespaces, ...own.codespaces } };
}

export function chooseSeverities(settings: SeveritySettings, profile: Profile, codespace: string): SeverityTable {
  return { ...settings.profiles[profile], ...settings.codespaces[codespace] };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    return fail(`it is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function readTables(kind: string, given: unknown, isName: (name: string) => boolean): Record<string, SeverityTable> {
  const tables = Object.entries(readObject(kind, given)).map(([name, table]) => {
    const place = `${kind}.${name}`;
    if (!isName(name)) fail(`${place}: there is no such ${kind === 'profiles' ? 'profile' : 'form of codespace'}`);
    const entries = Object.entries(readObject(place, table));
    return [name, Object.fromEntries(entries.map(([code, severity]) => [code, readSeverity(place, code, severity)]))];
  });
  return Object.fromEntries(tables);
}

function readSeverity(place: string, code: string, severity: unknown): Severity {
  const rule = findRule(code) ?? fail(`${place}.${code}: there is no rule of this code`);
  if (rule.stage === '0-intake') {
    fail(`${place}.${code}: such an archive is refused before any file is read, so no severity can be chosen`);
  }
  const known = SEVERITIES.find((one) => one === severity) as Severity | undefined;
  if (!known) return fail(`${place}.${code}: "${String(severity)}" is none of ${SEVERITIES.join(', ')}`);
  if (NEVER_MILD.includes(rule) && known !== 'CRITICAL' && known !== 'ERROR') {
    fail(`${place}.${code}: cannot be milder than ERROR, for such a file has not been read to its end`);
  }
  return known;
}

function readObject(place: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(`${place} must be an object`);
  return value as Record<string, unknown>;
}

function fail(message: string): never {
  throw new SeveritySettingsError(message);
}
