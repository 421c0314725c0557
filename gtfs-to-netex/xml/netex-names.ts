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

  /** Id and version of an element. */
  identity(kind: string, local: string | number): string {
    return `version="1" id="${this.id(kind, local)}"`;
  }

  /** Reference to an element of the same file; carries the version. */
  localRef(kind: string, local: string | number): string {
    return `ref="${this.id(kind, local)}" version="1"`;
  }

  /** Reference to an element of another file; carries no version. */
  foreignRef(kind: string, local: string | number): string {
    return `ref="${this.id(kind, local)}"`;
  }
}
