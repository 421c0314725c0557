/** The images that compose.yaml and the Dockerfiles name. Callers: the check and the bill of materials, pin-images.ts, tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const IMAGE_FILES = ['docker/compose.yaml', 'docker/Dockerfile', 'docker/minio/Dockerfile'] as const;

/** `name:tag`, with `@sha256:…` when it is pinned. */
const IMAGE =
  /^(?<before>\s*(?:image: |FROM |ARG NODE_IMAGE=))(?<image>[a-z][\w./-]*:[\w.-]+(?:@sha256:[0-9a-f]{64})?)(?<after>.*)$/gm;
/** Built from this project, so no registry has them. */
const OWN = /^samferd/;

export function listImages(root: string): readonly string[] {
  const texts = IMAGE_FILES.map((file) => readFileSync(join(root, file), 'utf8'));
  return [...new Set(texts.flatMap(imagesIn))].sort();
}

export function imagesIn(text: string): readonly string[] {
  return [...text.matchAll(IMAGE)].flatMap(({ groups }) => {
    const image = groups?.image;
    return image === undefined || OWN.test(image) ? [] : [image];
  });
}

export function isPinned(image: string): boolean {
  return image.includes('@sha256:');
}

/** Writes the digests behind their tags, in place of earlier ones. An image without a digest stays as it is. */
export function pin(text: string, digests: ReadonlyMap<string, string>): string {
  return text.replaceAll(IMAGE, (whole, ...rest) => {
    const { before, image, after } = rest.at(-1) as {
      readonly before: string;
      readonly image: string;
      readonly after: string;
    };
    const tagged = withoutDigest(image);
    const digest = digests.get(tagged);
    return digest === undefined ? whole : `${before}${tagged}@${digest}${after}`;
  });
}

export function withoutDigest(image: string): string {
  return image.split('@')[0] ?? image;
}
