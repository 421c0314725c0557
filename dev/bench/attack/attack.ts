/**
 * Starts an API, measures other callers, attacks, and measures them again. Callers: main.ts and the short form among
 * the tests.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { API_CROWDED_NODE_FLAGS } from '../../../api/node-flags.ts';
import { type ApiAlone, putCodespace, startApiAlone } from '../api-alone.ts';
import { type Load, summarise } from '../steady-load.ts';
import type { Attack, AttackKind, Tally } from './attackers.ts';
import { createOthers, type Others, startPlannerStub } from './others.ts';

const TOPIC = 'customer-changed-dev';
const SCOPES = 'timetable:read timetable:write codespaces:write events:read';
const ADDRESSES = Array.from({ length: 20 }, (_, at) => `127.0.1.${at + 1}`);

export interface AttackSize {
  readonly kind: AttackKind;
  readonly callers: number;
  readonly bytes: number;
  /** Others are measured when so many requests of the attack are answered: 0 by default. */
  readonly answersFirst?: number;
}

export interface AttackResult {
  readonly usual: Load;
  readonly attacked: Load;
  readonly tally: Tally;
}

export interface Target {
  /** Others before, during and after an attack, each for so many seconds. */
  attack(size: AttackSize, seconds: number): Promise<AttackResult>;
  stop(): Promise<void>;
}

/** `rate`: requests of others in a second. */
export async function startTarget(rate: number, environment: Readonly<Record<string, string>> = {}): Promise<Target> {
  const planner = await startPlannerStub();
  const api = await startApiAlone({ PLANNER_URL: planner.url, ...environment }, API_CROWDED_NODE_FLAGS);
  const claims = { organisationId: 1, codespaces: ['*'], scope: SCOPES };
  const [attacker, other] = await Promise.all([api.sign('attacker', claims), api.sign('other', claims)]);
  for (const codespace of ['atk', 'oth']) await putCodespace(api.url, other, codespace);
  const others = createOthers(api.url, other, TOPIC, rate);
  await others.measure(3);
  return {
    attack: async (size, seconds) => await attack(api, others, { ...size, token: attacker }, seconds),
    stop: async () => {
      others.close();
      await api.stop();
      planner.close();
    },
  };
}

async function attack(
  { url }: ApiAlone,
  others: Others,
  { kind, ...size }: AttackSize & { readonly token: string },
  seconds: number,
): Promise<AttackResult> {
  const before = await others.measure(seconds);
  const attackers = await startAttackers(kind, { url, topic: TOPIC, addresses: ADDRESSES, ...size });
  const attacked = await others.measure(seconds);
  const tally = await stopAttackers(attackers);
  // First the attack's leftovers end.
  await others.measure(2);
  const after = await others.measure(seconds);
  return { usual: summarise([...before.answers, ...after.answers]), attacked, tally };
}

async function startAttackers(kind: AttackKind, options: Attack): Promise<ChildProcess> {
  const args = [join(import.meta.dirname, 'attackers.ts'), kind, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  return child;
}

async function stopAttackers(child: ChildProcess): Promise<Tally> {
  const answered = once(child, 'message');
  child.send('stop');
  const [{ tally }] = (await answered) as [{ readonly tally: Tally }];
  if (child.exitCode === null) await once(child, 'exit');
  return tally;
}
