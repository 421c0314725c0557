/** Which stop register is published. Callers: the classification of an import, the comparison of versions. */
import type { Codespace } from '../../workflows/shared/ids.ts';
import type { StopRegisterVersion } from './stop-register-store.ts';
import type { VersionStore } from './version-store.ts';

/** Searched among the versions themselves, so no pointer can disagree with the published versions. */
export async function findStopRegister(
  versions: VersionStore,
  codespace: Codespace,
): Promise<StopRegisterVersion | null> {
  const register = await versions.findLatestStopRegister(codespace);
  if (!register) return null;
  return { codespace, correlationId: register.correlationId, receivedAt: register.receivedAt.toISOString() };
}
