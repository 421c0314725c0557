/** Archives that are small to send and large to read, within the limit of the ratio. */
import { netexFile } from './netex-samples.ts';
import { seededRandom } from './zip-samples.ts';
import { writeZip } from './zip-writer.ts';

/** A file of that size: an element again and again, after letters without a pattern that keep the ratio usual. */
export function largeFile(sizeBytes: number, element = '<x/>'): Buffer {
  const random = seededRandom(7);
  const letters = Array.from({ length: Math.ceil(sizeBytes / 100) }, () => String.fromCharCode(97 + random(26)));
  const [head = '', tail = ''] = netexFile(`<!--${letters.join('')}-->|`).split('|');
  const bytes = Buffer.alloc(sizeBytes, element);
  bytes.write(head);
  // The element that the head cuts off.
  const end = head.length + element.length;
  bytes.fill(' ', head.length, end - (end % element.length));
  bytes.fill(' ', sizeBytes - tail.length - element.length, sizeBytes);
  bytes.write(tail, sizeBytes - tail.length);
  return bytes;
}

export function largeArchive(name: string, sizeBytes: number, element?: string): Uint8Array {
  return writeZip([{ name, data: largeFile(sizeBytes, element) }]);
}
