/**
 * Brings the demo data into a running service through its real upload: codespaces, the stop register, the timetable.
 * Callers: `npm start` (when fewer than seven days remain), tests. Repeating it is harmless.
 */
import { type ClientCredentials, fetchToken, TimetableClient } from './api-client.ts';
import { type DemoData, generateDemo } from './generate.ts';
import { AUTHORITIES } from './organisation-xml.ts';
import { DAYS_AFTER } from './region.ts';
import { addDays, daysBetween, todayInOslo } from './service-days.ts';
import { watchImport } from './watch-import.ts';
import { demId } from './xml-writer.ts';

export const STOP_REGISTER_CODESPACE = 'nsr';
export const DEMO_CODESPACE = 'dem';
/** Organisation of the client `timetable-demo`. */
const DEMO_ORGANISATION_ID = 1;
const ENOUGH_DAYS = 7;

export interface DemoTarget {
  readonly apiUrl: string;
  readonly authUrl: string;
  /** Holds `codespaces:write` and every codespace. */
  readonly operator: ClientCredentials;
  readonly signal?: AbortSignal;
}

export interface ImportDemoOptions extends DemoTarget {
  /** Holds `timetable:write` for `dem`. */
  readonly client: ClientCredentials;
  /** `yyyy-MM-dd`; today in Norway unless given. */
  readonly date?: string;
  /** Numbers of the lines that run; all unless given. */
  readonly lines?: readonly number[];
  /** Folder of the archives. */
  readonly directory: string;
  /** One sentence for people. */
  readonly onProgress?: (message: string) => void;
}

export async function importDemo(options: ImportDemoOptions): Promise<DemoData> {
  const { apiUrl, authUrl, directory, lines, signal, onProgress = () => {} } = options;
  const date = options.date ?? todayInOslo(new Date());
  const data = await generateDemo({ date, directory, ...(lines && { lines }), ...(signal && { signal }) });
  onProgress(`Made demo data for ${data.firstDay} to ${data.lastDay}`);
  const operatorToken = await fetchToken(authUrl, options.operator, signal);
  const operator = new TimetableClient(apiUrl, operatorToken.access_token, signal);
  const shared = { profile: 'timetable', ownerOrganisationId: DEMO_ORGANISATION_ID };
  const register = { ...shared, name: 'National stop register (demo)', xmlns: 'NSR', allowedXmlns: [] };
  const timetable = {
    ...shared,
    name: 'Demo region',
    xmlns: 'DEM',
    allowedXmlns: ['NSR', 'PEN'],
    authorities: AUTHORITIES.map(({ key }) => demId('Authority', key)),
  };
  await operator.putCodespace(STOP_REGISTER_CODESPACE, register);
  await operator.putCodespace(DEMO_CODESPACE, timetable);
  const send = async (client: TimetableClient, codespace: string, path: string, what: string): Promise<void> => {
    onProgress(`Uploading ${what}`);
    const correlationId = await client.upload(codespace, path);
    const outcome = await watchImport(client, codespace, correlationId, {
      onEvent: (event) => onProgress(`${what}: ${event.action} ${event.state}`),
      ...(signal && { signal }),
    });
    if (outcome.state === 'FAILED') throw new Error(`The import of ${what} failed: ${outcome.reason}`);
    onProgress(outcome.state === 'OK' ? `Published ${what}` : `${what} is already published`);
  };
  await send(operator, STOP_REGISTER_CODESPACE, data.stopRegister, 'the demo stop register');
  const token = await fetchToken(authUrl, options.client, signal);
  const client = new TimetableClient(apiUrl, token.access_token, signal);
  await send(client, DEMO_CODESPACE, data.timetable, 'the demo timetable');
  return data;
}

export interface DemoCoverage {
  /** Undefined when the service holds no demo data. */
  readonly lastDay: string | undefined;
  /** Days left after today; 0 when there is none. */
  readonly daysLeft: number;
}

/**
 * How long the demo data in the service still lasts. The file name of its newest good import tells this, so nothing
 * needs to be stored beside the service. Other uploads to the codespace do not count.
 */
export async function demoCoverage({ apiUrl, authUrl, operator, signal }: DemoTarget): Promise<DemoCoverage> {
  const none = { lastDay: undefined, daysLeft: 0 };
  const token = await fetchToken(authUrl, operator, signal);
  const client = new TimetableClient(apiUrl, token.access_token, signal);
  const stops = await published(client, STOP_REGISTER_CODESPACE, /^demo-stops-(\d{4}-\d\d-\d\d)/);
  const made = await published(client, DEMO_CODESPACE, /^demo-timetable-(\d{4}-\d\d-\d\d)/);
  if (!stops || !made) return none;
  const lastDay = addDays(made, DAYS_AFTER);
  return { lastDay, daysLeft: Math.max(0, daysBetween(todayInOslo(new Date()), lastDay)) };
}

async function published(client: TimetableClient, codespace: string, name: RegExp): Promise<string | undefined> {
  try {
    const imports = await client.imports(codespace);
    const good = imports.find((one) => one.state === 'OK' && name.test(one.fileName));
    return good && name.exec(good.fileName)?.[1];
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) return undefined;
    throw error;
  }
}

/** Imports when fewer than seven days remain. Answers whether it did. */
export async function ensureDemo(options: ImportDemoOptions): Promise<boolean> {
  const { daysLeft } = await demoCoverage(options);
  if (daysLeft >= ENOUGH_DAYS) return false;
  await importDemo(options);
  return true;
}
