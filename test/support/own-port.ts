/**
 * Ports for parts that a test stops and starts again. The system gives a port that is free for a moment to any process
 * that asks. So these ports are below the range from which it gives, in a slice that no other test process uses.
 */
import { choosePort } from '../../dev/stack/ports.ts';

const FIRST_PORT = 10_000;
const SLICES = 220;
const SLICE_PORTS = 100;

const first = FIRST_PORT + (process.pid % SLICES) * SLICE_PORTS;
let next = 0;

/** A free port of this process's slice, the longest unused first. */
export async function ownPort(): Promise<number> {
  for (let tries = 0; tries < SLICE_PORTS; tries += 1) {
    const port = first + (next % SLICE_PORTS);
    next += 1;
    if ((await choosePort(port)) === port) return port;
  }
  throw new Error(`No port from ${first} to ${first + SLICE_PORTS - 1} is free`);
}
