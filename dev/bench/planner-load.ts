/**
 * Measures how clients notice snapshot changes and overlarge requests of others: `npm run bench:planner-load [-- rate
 * seconds]`. The demo region, 100 requests a second (two thirds trips, one third boards), from the same machine. Fails
 * when a request fails, an answer is of two snapshots, or the slowest hundredth is slower than is allowed.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { StopIndex } from '../../planner/model/indices.ts';
import { createRandom } from '../demo/random.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { type DemoPlanner, MARK, startDemoPlanner } from './planner/demo-planner.ts';
import { HOSTILE_QUESTIONS } from './planner/hostile-questions.ts';
import { boardQuestion, DEFAULT_WALK_SPEED, type Question, tripQuestion } from './planner/questions.ts';
import { type Answered, call, type Load, steadyLoad, tellLoad } from './steady-load.ts';

const [rate, seconds] = process.argv.slice(2).map(Number);
const RATE = rate ?? 100;
const SECONDS = seconds ?? 30;
const SWAPS = 5;
const HOSTILE_CLIENTS = 2;
const HOSTILE_PAUSE_MS = 50;
/** Times the usual. */
const ALLOWED = { swaps: 2, hostile: 1.5 };
const REFUSED_WITHIN_MS = 100;

const today = new Date().toISOString().slice(0, 10);

function drawQuestions({ timetable }: DemoPlanner): Question[] {
  const random = createRandom('load');
  const { catalogue } = timetable;
  const served = Array.from({ length: catalogue.quays.count }, (_, index) =>
    catalogue.quays.at(index as StopIndex),
  ).filter(({ index }) => catalogue.patternsOfStop(index).length > 0);
  return Array.from({ length: 300 }, (_, at) => {
    const [from, to] = [random.pick(served).id, random.pick(served).id];
    const when = `${today}T${String(random.integer(7, 20)).padStart(2, '0')}:00:00+01:00`;
    return at % 3 === 2 ? boardQuestion(from, when) : tripQuestion(from, to, when, DEFAULT_WALK_SPEED);
  });
}

/** Names of stops and public codes of lines, all of them with the mark or none. */
function isOfOneSnapshot({ body }: Answered): boolean {
  const texts = [...body.matchAll(/"(?:publicCode|name)":"([^"]*)"/g)].map(([, text = '']) => text);
  const marked = texts.filter((text) => text.endsWith(MARK)).length;
  return marked === 0 || marked === texts.length;
}

const HEADERS = { 'content-type': 'application/json', 'ET-Client-Name': 'samferd-bench' };

function post(url: string, agent: Agent, body: string): Promise<Answered> {
  return call({ method: 'POST', url, headers: HEADERS, body }, agent);
}

async function askSteadily(url: string, questions: readonly Question[], seconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true });
  const bodies = questions.map(({ query, variables }) => JSON.stringify({ query, variables }));
  const load = await steadyLoad(RATE, seconds, (count) => post(url, agent, bodies[count % bodies.length] as string));
  agent.destroy();
  return load;
}

function checkLoad(name: string, load: Load, usual: Load, allowed: number): void {
  tellLoad(name, load);
  const bad = load.answers.find(({ status, body }) => status !== 200 || body.includes('"errors"'));
  expectThat(`${name}: no request failed${bad ? ` (${bad.status} ${bad.body.slice(0, 200)})` : ''}`, bad === undefined);
  const ratio = load.p99 / usual.p99;
  expectThat(`${name}: p99 ${ratio.toFixed(2)} times the usual, ${allowed} allowed`, ratio <= allowed);
}

async function swapping(planner: DemoPlanner): Promise<void> {
  for (let swap = 0; swap < SWAPS; swap++) {
    await delay((SECONDS * 1000) / (SWAPS + 1));
    await planner.swap();
  }
}

async function attack(url: string, until: () => boolean): Promise<Map<string, Answered[]>> {
  const answers = new Map<string, Answered[]>(HOSTILE_QUESTIONS.map(({ name }) => [name, []]));
  const one = async (first: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true });
    for (let at = first; !until(); at++) {
      const { name, body } = HOSTILE_QUESTIONS[at % HOSTILE_QUESTIONS.length] as (typeof HOSTILE_QUESTIONS)[number];
      answers.get(name)?.push(await post(url, agent, body));
      await delay(HOSTILE_PAUSE_MS);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: HOSTILE_CLIENTS }, (_, at) => one(at * 4)));
  return answers;
}

function checkHostile(answers: ReadonlyMap<string, readonly Answered[]>): void {
  for (const [name, list] of answers) {
    const times = list.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const middle = times[Math.floor(times.length / 2)] ?? Number.NaN;
    const statuses = [...new Set(list.map(({ status }) => status))].join(' ');
    const refused = list.every(({ status }) => status >= 400);
    expectThat(
      `${name}: ${statuses}, middle ${middle.toFixed(1)} ms, longest ${times.at(-1)?.toFixed(1)} ms of ${list.length}`,
      refused ? middle < REFUSED_WITHIN_MS : list.every(({ status }) => status === 200),
    );
  }
}

const directory = mkdtempSync(join(tmpdir(), 'samferd-bench-'));
const planner = await startDemoPlanner(directory, today);
try {
  const questions = drawQuestions(planner);
  await askSteadily(planner.url, questions, SECONDS / 3);
  const usual = await askSteadily(planner.url, questions, SECONDS);
  tellLoad('usual', usual);
  const swaps = swapping(planner);
  const swapped = await askSteadily(planner.url, questions, SECONDS);
  await swaps;
  checkLoad('swaps', swapped, usual, ALLOWED.swaps);
  expectThat(
    'swaps: both snapshots were seen',
    new Set(swapped.answers.map(({ body }) => body.includes(`${MARK}"`))).size === 2,
  );
  expectThat('swaps: every answer is of one snapshot', swapped.answers.every(isOfOneSnapshot));
  let isOver = false;
  const attacking = attack(planner.url, () => isOver);
  const attacked = await askSteadily(planner.url, questions, SECONDS);
  isOver = true;
  checkLoad('hostile', attacked, usual, ALLOWED.hostile);
  checkHostile(await attacking);
} finally {
  await planner.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = hasFailed() ? 1 : 0;
