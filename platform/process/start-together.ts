/** Several parts of the service in one process: started and stopped side by side. Caller: api/servers.ts. */
import type { Started } from './run-process.ts';
import { stopInOrder } from './stop-in-order.ts';

/** Throws when one of them cannot start; the process must end then. */
export async function startTogether(starts: readonly (() => Promise<Started>)[]): Promise<Started> {
  const parts = await Promise.all(starts.map((start) => start()));
  const [first] = parts;
  if (!first) throw new Error('There is nothing to start');
  return {
    log: first.log,
    url: parts.map(({ url }) => url).join(' '),
    reload: parts.some(({ reload }) => reload)
      ? () => {
          for (const { reload } of parts) reload?.();
        }
      : undefined,
    stop: [() => stopAll(parts)],
  };
}

/** A part that fails to stop does not keep the others from stopping. */
async function stopAll(parts: readonly Started[]): Promise<void> {
  const ends = parts.map(({ stop }) => stopInOrder(stop));
  const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
