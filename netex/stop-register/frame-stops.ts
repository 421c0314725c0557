/** The stops of the file's own SiteFrames. Costs nothing in files without them. Callers: a file under the rules. */
import type { OpenElement, ScanListener } from '../xml/scan.ts';
import { SiteFrameReader } from './site-frame-reader.ts';
import type { StopFacts } from './stop-facts.ts';
import { StopRegister } from './stop-register.ts';
import { StopRegisterBuilder } from './stop-register-builder.ts';

export class FrameStops implements ScanListener {
  #builder: StopRegisterBuilder | undefined;
  #reader: SiteFrameReader | undefined;
  #register: StopRegister | undefined;

  /** Call when a SiteFrame begins; `start` and `end` take the elements inside it. */
  begin(): void {
    this.#builder ??= new StopRegisterBuilder();
    this.#reader = new SiteFrameReader(this.#builder);
  }

  start(element: OpenElement): void {
    this.#reader?.start(element);
  }

  end(element: OpenElement): void {
    this.#reader?.end(element);
  }

  /** Call when the file has been read: elements after the first call are ignored. */
  findStop(id: string): StopFacts | undefined {
    if (!this.#builder) return undefined;
    this.#register ??= StopRegister.open(this.#builder.build());
    return this.#register.findStop(id);
  }
}
