/**
 * Moves a request body into the multipart parser and gives the memory of each chunk back as soon as it is used up.
 *
 * Caller: receive-file.ts. Left to the garbage collector, the 64 kB chunks of ten uploads make 60 MB and more of garbage,
 * since each lives just long enough to be taken for long-lived. Giving back is safe by the order of things: the parser
 * keeps views of a chunk only in the file stream; with `FORM_BUFFER_BYTES` that stream takes no second chunk before its
 * reader has taken the first; and the reader asks for more only when it has done with what it has. So when the parser is
 * ready for the chunk after the next, nobody looks at the first any more.
 */
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';

/** `fileHwm` of the form: any byte that waits holds up the next chunk. */
export const FORM_BUFFER_BYTES = 1;

/** Returns when the form has taken everything, or is destroyed. Throws when the request breaks. */
export async function feedForm(
  request: IncomingMessage,
  form: Writable,
  count: (chunkBytes: number) => void,
): Promise<void> {
  let used: Buffer | undefined;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    count(chunk.length);
    if (form.destroyed || !(await write(form, chunk))) return;
    giveBack(used);
    used = chunk;
  }
  if (!form.destroyed) form.end();
}

/** False when the form was destroyed, also while it held the chunk up. */
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

/** Only a chunk that owns its memory alone: Node also cuts small ones out of a shared pool. */
function giveBack(chunk: Buffer | undefined): void {
  if (chunk === undefined || !(chunk.buffer instanceof ArrayBuffer)) return;
  if (chunk.byteLength === chunk.buffer.byteLength) chunk.buffer.transfer(0);
}
