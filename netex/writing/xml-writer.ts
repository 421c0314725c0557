/**
 * Writes indented XML into a string that the caller takes piece by piece, so that a file is never whole in memory.
 * Attributes are passed ready-made; texts are escaped here. Callers: the XML modules of dev/demo and gtfs-to-netex.
 */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export class XmlWriter {
  #text = '';
  #indent = '';
  readonly #open: string[] = [];

  open(name: string, attributes = ''): this {
    this.#text += `${this.#indent}<${name}${attributes && ' '}${attributes}>\n`;
    this.#open.push(name);
    this.#indent += '  ';
    return this;
  }

  /** Ends the innermost open element; the name reveals errors of the calling module. */
  close(name: string): this {
    const open = this.#open.pop();
    if (open !== name) throw new Error(`Closing <${name}> where <${open}> is open`);
    this.#indent = this.#indent.slice(2);
    this.#text += `${this.#indent}</${name}>\n`;
    return this;
  }

  text(name: string, value: string | number | undefined, attributes = ''): this {
    if (value === undefined) return this;
    return this.line(`<${name}${attributes && ' '}${attributes}>${escapeXml(String(value))}</${name}>`);
  }

  empty(name: string, attributes: string): this {
    return this.line(`<${name} ${attributes}/>`);
  }

  /** Escaped by the caller. */
  line(xml: string): this {
    this.#text += `${this.#indent}${xml}\n`;
    return this;
  }

  get length(): number {
    return this.#text.length;
  }

  /** The text written since the last call. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
