/**
 * Feeds served by our planner as any dataset is: converted, uploaded through the API, validated, published, built into a snapshot.
 * The caller's rate limit is raised, since a benchmark asks more than a client may.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { convertFeed } from '../../../gtfs-to-netex/convert.ts';
import { Service } from '../../../test/support/service.ts';
import { grantCodespace, importArchive } from '../archives.ts';

export interface Feed {
  readonly path: string;
  readonly codespace: string;
}

export interface ServedFeeds {
  /** Of the v3 dialect. */
  readonly url: string;
  /** Of the planner process that runs now. */
  pid(): number;
  /** Ends the planner process and starts it anew on the stored snapshot; seconds until it is ready. */
  restart(): Promise<number>;
  stop(): Promise<void>;
}

const MANY = '100000000';
const RAISED_LIMITS = { RATE_LIMIT_IDENTIFIED: MANY };

export async function serveFeeds(directory: string, feeds: readonly Feed[]): Promise<ServedFeeds> {
  const service = await Service.start({ planner: true, env: RAISED_LIMITS });
  try {
    const client = await service.client();
    for (const { path, codespace } of feeds) {
      const dataset = join(directory, `${codespace}.zip`);
      // As the rival does: else the two would compare different timetables where a feed leaves times out.
      const interpolation = 'evenly';
      await convertFeed({
        feed: path,
        dataset,
        codespace,
        register: undefined,
        period: {},
        interpolation,
        onProgress: () => {},
      });
      await grantCodespace(client, codespace);
      const { stepSeconds, megabytes } = await importArchive(client, codespace, dataset);
      const steps = Object.entries(stepSeconds).map(([step, seconds]) => `${step} ${seconds.toFixed(1)} s`);
      console.log(`${codespace}: ${megabytes.toFixed(0)} MB of NeTEx imported: ${steps.join(', ')}`);
    }
    return {
      url: `${service.plannerUrl}/journey-planner/v3/graphql`,
      pid: () => service.pid('journeyPlanner'),
      restart: async () => {
        await service.kill('journeyPlanner');
        const begun = performance.now();
        await service.restart('journeyPlanner');
        await untilReady(service.plannerUrl);
        return (performance.now() - begun) / 1000;
      },
      stop: () => service.stop(),
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

const LOOK_MS = 20;

/** Alive is not yet ready: that needs a snapshot, opened and warm. */
async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/health/ready`)).ok) await delay(LOOK_MS);
}
