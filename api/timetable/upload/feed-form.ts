/**
 * Moves a request body into the multipart parser, and lets the reader of the file release the memory of its chunks.
 *
 * Caller: receive-file.ts. Left to the garbage collector, the 64 kB chunks of ten uploads make 60 MB and more of
 * garbage. Each lives just long enough to become long-lived. Only the reader knows when it is done with a chunk. The
 * parser accepts the next one earlier, for instance when that holds only the end of the form.
 */
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { arriving, type Progress, UPLOAD_PROGRESS } from '../../shared/slow-body.ts';
import { uploadPace } from '../../shared/stream-pace.ts';

/** `fileHwm` of the form: any waiting byte delays the next chunk, so each read returns one chunk, not a copy of two. */
export const FORM_BUFFER_BYTES = 1;

/** Memory of chunks that share it with nothing else: Node also cuts small chunks from a common pool. */
const owned = new WeakSet<ArrayBufferLike>();

/**
 * Call with the bytes read from the file stream after their use. The parser pushes all file bytes of a chunk at once,
 * and one read takes them all. So no other view of the chunk is waiting.
 */
export function giveBack(view: Uint8Array): void {
  const { buffer } = view;
  if (buffer instanceof ArrayBuffer && owned.delete(buffer)) buffer.transfer(0);
}

/** Returns when the form has taken everything, or is destroyed. Throws when the request is aborted or too slow. */
export async function feedForm(
  request: IncomingMessage,
  form: Writable,
  count: (chunkBytes: number) => void,
  progress: Progress = UPLOAD_PROGRESS,
): Promise<void> {
  for await (const chunk of arriving(request, progress)) {
    count(chunk.length);
    if (chunk.byteLength === chunk.buffer.byteLength) owned.add(chunk.buffer);
    const { length } = chunk;
    if (form.destroyed || !(await write(form, chunk))) return;
    await uploadPace.wait(length);
  }
  if (!form.destroyed) form.end();
}

/** False when the form was destroyed, also while it delayed the chunk. */
async function write(form: Writable, chunk: Buffer): Promise<boolean> {
  return await new Promise((resolve) => {
    const closed = () => resolve(false);
    form.once('close', closed);
    form.write(chunk, (error) => {
      form.off('close', closed);
      resolve(!error);
    });
  });
}
