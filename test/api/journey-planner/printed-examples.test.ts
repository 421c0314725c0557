/** Runs the examples of README, docs and `npm start` unchanged over the demo region. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeStack } from '../../../dev/stack/welcome.ts';
import type { Timetable } from '../../../planner/index.ts';
import { useDemoPlanner } from './demo-planner.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Excludes the table of rules, which shows faults in files of others. */
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md') && path !== 'docs/rules.md',
);

/** Shell commands that send a query to the planner, each with its variables. */
function planCommands(text: string): readonly string[] {
  return [...text.matchAll(/^( *)```sh\n(.*?)^\1```$/gms)].flatMap(([, , block = '']) => {
    const lines = block.replaceAll('\\\n', ' ').replaceAll('{"query":\n', '{"query":').split('\n');
    const variables = lines.filter((line) => /^ *[A-Z]+=\S+$/.test(line)).join('\n');
    const asking = lines.filter((line) => /^ *curl .*\/(journey-planner|geocoder)\//.test(line));
    return asking.map((line) => `${variables}\n${line.trim()}`);
  });
}

describe('Examples that are printed', () => {
  const demo = useDemoPlanner();

  // biome-ignore lint/suspicious/noExplicitAny: tests read members by name, and assertions check them
  async function run(command: string): Promise<any> {
    const here = command.replaceAll('http://127.0.0.1:8084', demo.planner.url);
    const { stdout } = await promisify(execFile)('bash', ['-c', here]);
    return JSON.parse(stdout);
  }

  it('find a journey with a ride and a stop by its name, in the readme', async () => {
    const [trip = '', place = '', ...others] = planCommands(read('README.md'));
    assert.deepEqual(others, []);
    const { data, errors } = await run(trip);
    assert.deepEqual([errors, data.trip.routingErrors], [undefined, []]);
    const rides = data.trip.tripPatterns.map(({ legs }: { legs: { line: object | null }[] }) =>
      legs.some(({ line }) => line !== null),
    );
    assert.ok(rides.includes(true), JSON.stringify(data));
    const { features } = await run(place);
    assert.match(features[0].properties.name, /^nordhamn/i);
  });

  it('validate, on the page about importing a city', async () => {
    const commands = planCommands(read('docs/try-your-city.md'));
    assert.equal(commands.length, 1);
    const { data, errors } = await run(commands[0] ?? '');
    assert.equal(errors, undefined, JSON.stringify(errors));
    assert.deepEqual(data.trip.tripPatterns, [], 'its stops are of that city');
  });

  it('list the lines, at the start', async () => {
    const endpoints = { api: 'http://api.test', journeyPlanner: demo.planner.url };
    const welcome = describeStack(endpoints, 1).replaceAll(/ \\\n +/g, ' ');
    const command = welcome.split('\n').find((line) => line.includes('/journey-planner/'));
    const { data } = await run(command ?? '');
    assert.ok(data.lines.length > 10);
  });

  it('name only ids of the demo', () => {
    const { catalogue }: Timetable = demo.planner.timetable;
    const kinds = { StopPlace: catalogue.stopPlaces, Quay: catalogue.quays, Line: catalogue.lines };
    const ids = PAGES.flatMap((path) => read(path).match(/\b(NSR|DEM):(StopPlace|Quay|Line):\w+/g) ?? []);
    assert.ok(ids.length > 0);
    for (const id of ids) assert.ok(kinds[id.split(':')[1] as keyof typeof kinds].find(id), id);
  });
});

describe('The commands of the readme', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

  it('exist on every page', () => {
    for (const path of PAGES) {
      for (const [, name = ''] of read(path).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)) {
        assert.ok(scripts[name], `${path}: npm run ${name}`);
      }
    }
  });
});
