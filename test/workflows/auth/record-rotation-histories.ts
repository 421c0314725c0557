/**
 * Records histories of the key rotation into test/histories, for replay.test.ts. Run by hand when a change of the
 * workflow must stay replayable: `node test/workflows/auth/record-rotation-histories.ts [name…]`.
 */
import '../../support/quiet-temporal.ts';
import type { SigningKeyRotationInput } from '../../../workflows/auth/messages.ts';
import { stopServers } from '../../support/stack.ts';
import { storeHistory } from '../stored-history.ts';
import { type Rotation, RotationWorld } from './rotation-world.ts';

interface Recording {
  readonly input?: SigningKeyRotationInput;
  readonly prepare?: (world: RotationWorld) => void;
  /** Runs while the rotation waits. */
  readonly meanwhile?: (world: RotationWorld, rotation: Rotation) => Promise<void>;
}

/** Recordings, named for the code path that they protect. */
const RECORDINGS: Readonly<Record<string, Recording>> = {
  'signing-key-rotation-done': {},
  'signing-key-rotation-steps-died': {
    prepare: (world) => {
      for (const name of ['publishNext', 'startSigning', 'removeRetired'] as const) {
        world.breakOn(name, 'before', 2);
        world.breakOn(name, 'after', 2);
      }
    },
  },
  'signing-key-rotation-too-early': {
    meanwhile: async (world, rotation) => {
      await world.untilPublished(rotation);
      world.behindMs = 10_000;
    },
  },
  'signing-key-rotation-overtaken': {
    meanwhile: async (world, rotation) => {
      await world.untilPublished(rotation);
      await world.end(await world.start({ withdraw: true }));
    },
  },
  'signing-key-rotation-withdrawal': { input: { withdraw: true } },
};

const wanted = process.argv.slice(2);
try {
  const world = await RotationWorld.open();
  for (const [name, { input, prepare, meanwhile }] of Object.entries(RECORDINGS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await world.reset();
    await world.adopt(3_600);
    prepare?.(world);
    const rotation = await world.start(input);
    await meanwhile?.(world, rotation);
    await world.end(rotation);
    await storeHistory(name, await rotation.fetchHistory());
    process.stdout.write(`${name}\n`);
  }
  await world.close();
} finally {
  await stopServers();
}
