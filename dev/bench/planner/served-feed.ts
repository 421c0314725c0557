/**
 * Serves feeds by our planner as it serves every dataset: converts, uploads through the API, validates, publishes and
 * builds them into a snapshot. It raises the caller's rate limit, because a benchmark sends more requests than a client
 * may.
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
  /** URL of the v3 dialect. */
  readonly url: string;
  /** URL of the v2 dialect, whose defaults differ. */
  readonly urlV2: string;
  /** Process id of the current planner process. */
  pid(): number;
  /** Ends the planner process and starts it again on the stored snapshot. Returns the seconds until it is ready. */
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
      // The rival interpolates evenly. Otherwise the two would compare different timetables where a feed omits times.
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
      urlV2: `${service.plannerUrl}/journey-planner/v2/graphql`,
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

/** A live process is ready only when its snapshot is open and warm. */
async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/health/ready`)).ok) await delay(LOOK_MS);
}
