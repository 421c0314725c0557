/** Paths that orchestrators and monitoring ask for, from inside and without TLS. They hold no private data. Pure. */
const PROBE = /^\/(health\/(live|ready)|metrics)\/?$/;

export function isProbe(path: string): boolean {
  return PROBE.test(path);
}
