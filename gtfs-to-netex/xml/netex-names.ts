/** Ids and references of one codespace, as attributes. Callers: all XML modules. */
export class NetexNames {
  /** Three capitals. */
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  id(kind: string, local: string | number): string {
    return `${this.prefix}:${kind}:${local}`;
  }

  /** Of an element. */
  identity(kind: string, local: string | number): string {
    return `version="1" id="${this.id(kind, local)}"`;
  }

  /** To an element of the same file, which carries the version. */
  localRef(kind: string, local: string | number): string {
    return `ref="${this.id(kind, local)}" version="1"`;
  }

  /** To an element of another file, which does not. */
  foreignRef(kind: string, local: string | number): string {
    return `ref="${this.id(kind, local)}"`;
  }
}
