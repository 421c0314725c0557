/**
 * Runs two workers of every role under load and kills one of each in turn: no request fails, and every workflow ends.
 * Used by kill-workers.ts and its short twin.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AREAS } from '../../activities/areas.ts';
import { camelCase, type ProcessName } from '../../dev/stack/process-names.ts';
import { rolesOf } from '../../platform/area.ts';
import type { PartName, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import type { WorkerBuilds } from './worker-builds.ts';

export const ROLES: readonly ProcessName[] = rolesOf(AREAS).map(({ name }) => camelCase(name));

export interface LoadOutcome {
  readonly requests: number;
  /** One line for each failed request and each failed import. */
  readonly failures: readonly string[];
  readonly imports: number;
  readonly kills: number;
}

const WRITERS = 3;
const BETWEEN_KILLS_MS = 1_000;
const PATIENT = { timeoutMs: 240_000, everyMs: 100 };

export class TwoWorkers {
  readonly #service: Service;
  readonly #ends: 'OK' | 'FAILED';
  readonly #builds: WorkerBuilds;
  readonly #pauseMs: number;
  readonly #twins = new Map<ProcessName, PartName>();
  readonly #failures: string[] = [];
  #requests = 0;

  /** `ends`: the state in which every import of the archive ends. `pauseMs`: of a writer between two writes. */
  constructor(service: Service, builds: WorkerBuilds, ends: 'OK' | 'FAILED', pauseMs = 0) {
    this.#pauseMs = pauseMs;
    this.#ends = ends;
    this.#service = service;
    this.#builds = builds;
  }

  /** Starts a second worker of each role, or of the roles given. */
  async startTwins(roles: readonly ProcessName[] = ROLES): Promise<void> {
    for (const role of roles) this.#twins.set(role, await this.#service.startAnother(role));
  }

  /** Ends the second workers as a deployment does. */
  async endTwins(): Promise<void> {
    await Promise.all([...this.#twins.values()].map((twin) => this.#service.end(twin)));
    this.#twins.clear();
  }

  /** Each round kills one worker of every role, the first and the second in turn, and starts it again. */
  async run(rounds: number, imports: number): Promise<LoadOutcome> {
    let killing = true;
    const kills = this.#kill(rounds).finally(() => {
      killing = false;
    });
    const writers = Array.from({ length: WRITERS }, async () => {
      for (; killing; await delay(this.#pauseMs)) await this.#write();
    });
    const uploads = this.#upload(imports, () => killing);
    await Promise.all([kills, ...writers]);
    const uploaded = await uploads;
    const counts = { requests: this.#requests, imports: uploaded, kills: await kills };
    await this.#untilAllEnded();
    return { ...counts, failures: this.#failures };
  }

  async #kill(rounds: number): Promise<number> {
    let kills = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const [first, second] of this.#twins) {
        await delay(BETWEEN_KILLS_MS);
        const victim = round % 2 === 0 ? first : second;
        await this.#service.kill(victim);
        kills += 1;
        await this.#service.restart(victim);
      }
    }
    return kills;
  }

  /** Creates a temporary profile and sends its workflow an update, which waits for a worker. */
  async #write(): Promise<void> {
    const number = await this.#try(() => this.#builds.createTemporary());
    if (number === undefined) return;
    const profileType = await this.#try(() => this.#builds.convert(number));
    if (profileType !== undefined && profileType !== 'PERMANENT') this.#failures.push(`${number} is ${profileType}`);
  }

  /** Uploads one archive after the other: `least` at least, and more while kills go on. */
  async #upload(least: number, goOn: () => boolean): Promise<number> {
    let done = 0;
    while (done < least || goOn()) {
      const id = await this.#try(() => this.#builds.upload());
      const state = id && (await this.#try(() => this.#builds.stateOf(id)));
      if (state !== this.#ends) this.#failures.push(`import ${done} ended ${state}`);
      done += 1;
    }
    return done;
  }

  async #try<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
    this.#requests += 1;
    try {
      return await call();
    } catch (error) {
      this.#failures.push(`${new Date().toISOString()} ${error}`);
      return undefined;
    }
  }

  async #untilAllEnded(): Promise<void> {
    const { workflow } = this.#builds.temporal.client;
    const query =
      'ExecutionStatus = "Running" AND WorkflowType IN ("datasetImport", "temporaryProfile", "plannerBuild")';
    await until(async () => (await workflow.count(query)).count === 0, {
      ...PATIENT,
      what: 'the last workflow to end',
    });
  }
}
