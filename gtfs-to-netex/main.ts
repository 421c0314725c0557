/**
 * `npm run gtfs-to-netex -- in.zip out.zip --codespace xxx [--register stops.zip] [--date-from 2026-11-01] [--date-to …]
 * [--interpolate distance|evenly]`: converts a GTFS feed. Progress goes to stderr, the summary to stdout.
 */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ConvertOptions, convertFeed } from './convert.ts';
import { describeConversion } from './describe-conversion.ts';
import { FeedError } from './feed/feed-error.ts';
import { parseDay } from './feed/values.ts';

const USAGE = `npm run gtfs-to-netex -- feed.zip dataset.zip --codespace xxx
  --codespace xxx       three letters: prefix of all ids, and the codespace to upload to
  --register stops.zip  the stops in an archive of their own instead of in the dataset
  --date-from, --date-to 2026-11-21   only days of this period
  --interpolate evenly  stops without times: as many seconds from each to the next; else by distance`;

class UsageError extends Error {}

function readOptions(): ConvertOptions {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      codespace: { type: 'string' },
      register: { type: 'string' },
      'date-from': { type: 'string' },
      'date-to': { type: 'string' },
      interpolate: { type: 'string', default: 'distance' },
    },
  });
  const [feed, dataset, ...others] = positionals;
  const { codespace = '', register, interpolate } = values;
  if (!feed || !dataset || others.length > 0) throw new UsageError('Name the feed and the dataset to write.');
  if (!/^[a-z]{3}$/i.test(codespace)) throw new UsageError('--codespace must be three letters, as in --codespace nyc.');
  if (interpolate !== 'distance' && interpolate !== 'evenly') {
    throw new UsageError(`--interpolate is distance or evenly, not ${interpolate}.`);
  }
  const fromDay = dayOf('--date-from', values['date-from']);
  const toDay = dayOf('--date-to', values['date-to']);
  const period = { ...(fromDay !== undefined && { fromDay }), ...(toDay !== undefined && { toDay }) };
  return { feed, dataset, codespace, register, period, interpolation: interpolate, onProgress: console.error };
}

function dayOf(option: string, text: string | undefined): number | undefined {
  const day = text === undefined ? undefined : parseDay(text);
  if (text !== undefined && day === undefined)
    throw new UsageError(`${option} must be a date as 2026-11-21, not ${text}.`);
  return day;
}

try {
  const options = readOptions();
  const startedAt = performance.now();
  const conversion = await convertFeed(options);
  console.log(describeConversion(conversion));
  for (const path of [options.dataset, ...(options.register ? [options.register] : [])]) {
    console.log(`${path}  ${((await stat(path)).size / 1e6).toFixed(1)} MB`);
  }
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`Made in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, with ${memory} MB of memory at most`);
} catch (error) {
  const isOfUser = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  if (isOfUser) console.error(`${error.message}\n\n${USAGE}`);
  else console.error(error instanceof FeedError || isFileError(error) ? error.message : error);
  process.exitCode = 1;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
