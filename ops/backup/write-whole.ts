/** Writes a small file of a back-up. Caller: the folder of a back-up. */
import { open, rename } from 'node:fs/promises';

const FILE_OWNER_ONLY = 0o600;

/** Readers see the old content or the new, even after a power cut. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'w', FILE_OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
