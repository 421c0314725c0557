/**
 * Records histories of the workflows of customers into test/histories, for replay.test.ts. Run by hand when a change of
 * a workflow must stay replayable: `node test/workflows/customers/record-customer-histories.ts [name…]`. Temporary
 * profiles live for years, so histories of earlier versions stay. Their names are no longer recorded here.
 */
import '../../support/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import { startProfileErasure } from '../../../activities/customers/profile-erasure-start.ts';
import {
  convertTemporaryProfile,
  signalEraseNow,
  signalExpirationChanged,
  startTemporaryProfile,
} from '../../../activities/customers/temporary-profile-start.ts';
import { stopServers } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { type History, storeHistory } from '../stored-history.ts';
import { CustomerWorkers } from './customer-workers.ts';
import { CustomerWorld } from './customer-world.ts';

const DAY_MS = 24 * 60 * 60_000;

interface Recording {
  readonly lifeMs: number;
  readonly prepare?: (world: CustomerWorld) => void;
  /** Runs while the workflow waits. */
  readonly meanwhile?: (world: CustomerWorld, workers: CustomerWorkers) => Promise<void>;
}

/**
 * Recordings of `temporaryProfile`, named for the code path that they protect. Each has its own time-skipping server.
 */
const LIVES: Readonly<Record<string, Recording>> = {
  'temporary-profile-expired': { lifeMs: 7 * DAY_MS },
  'temporary-profile-moved-twice': {
    lifeMs: 20 * DAY_MS,
    meanwhile: async (world, workers) => {
      for (const days of [-10, +15]) {
        world.expiresAtMs += days * DAY_MS;
        const looks = world.callsOf('readStanding');
        await signalExpirationChanged(workers.temporal, world.input);
        await until(() => world.callsOf('readStanding') > looks);
      }
    },
  },
  'temporary-profile-converted': {
    lifeMs: 20 * DAY_MS,
    meanwhile: async (world, workers) => {
      world.refuseConversion = 'DUPLICATE_EMAIL';
      await convert(world, workers);
      world.refuseConversion = undefined;
      await convert(world, workers);
    },
  },
  'temporary-profile-deleted': {
    lifeMs: 20 * DAY_MS,
    meanwhile: async (world, workers) => {
      world.delete();
      await signalEraseNow(workers.temporal, world.input);
    },
  },
  'temporary-profile-servers-away': {
    lifeMs: DAY_MS,
    prepare: (world) => {
      for (const name of ['readStanding', 'expireProfile'] as const) world.breakOn(name, 'before', new Error('away'));
    },
  },
  // Has three runs; the first, which continues as new, and the last are recorded.
  'temporary-profile-many-runs': { lifeMs: 70 * DAY_MS },
};

/** Recordings of `profileErasure`, on the real server. */
const ERASURES: Readonly<Record<string, (world: CustomerWorld) => void>> = {
  'profile-erasure-done': () => {},
  'profile-erasure-steps-died': (world) => {
    for (const name of ['destroyKey', 'eraseArea', 'markErased'] as const) {
      world.breakOn(name, 'before', new Error('away 1'), new Error('away 2'));
    }
  },
  'profile-erasure-something-left': (world) => {
    let looks = 0;
    world.onCall = async (name) => {
      if (name === 'findLeftovers' && ++looks === 1) world.content = true;
    };
  },
  'profile-erasure-not-asked-for': (world) => {
    world.state = 'PERMANENT';
  },
  'profile-erasure-erased-before': (world) => {
    world.state = 'ERASED';
  },
};

async function convert(world: CustomerWorld, workers: CustomerWorkers): Promise<void> {
  const conversionId = randomUUID();
  await convertTemporaryProfile(workers.temporal, { ...world.input, conversionId, updateId: conversionId });
}

async function recordLife(name: string, { lifeMs, prepare, meanwhile }: Recording): Promise<void> {
  const workers = await CustomerWorkers.openSkipping();
  try {
    const world = workers.add(new CustomerWorld((await workers.now()) + lifeMs));
    prepare?.(world);
    await startTemporaryProfile(workers.temporal, world.input);
    await until(() => world.callsOf('readStanding') > 0);
    const first = (await workers.handle(world.input).describe()).runId;
    await meanwhile?.(world, workers);
    await workers.end(world);
    const last = (await workers.handle(world.input).describe()).runId;
    if (last !== first) await save(`${name}-first`, await workers.handle(world.input, first).fetchHistory());
    await save(name, await workers.handle(world.input, last).fetchHistory());
  } finally {
    await workers.close();
  }
}

async function recordErasures(isWanted: (name: string) => boolean): Promise<void> {
  const workers = await CustomerWorkers.open();
  try {
    for (const [name, prepare] of Object.entries(ERASURES)) {
      if (!isWanted(name)) continue;
      const world = workers.add(new CustomerWorld());
      world.delete();
      prepare(world);
      await startProfileErasure(workers.temporal, world.input);
      await workers.erased(world);
      await save(name, await workers.erasureHandle(world.input).fetchHistory());
    }
  } finally {
    await workers.close();
  }
}

async function save(name: string, history: History): Promise<void> {
  await storeHistory(name, history);
  process.stdout.write(`${name}\n`);
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
try {
  for (const [name, recording] of Object.entries(LIVES)) if (isWanted(name)) await recordLife(name, recording);
  await recordErasures(isWanted);
} finally {
  await stopServers();
}
