// What the scripts find in the browser besides its own interfaces. Read by the type checker only.

/** static/vendor/sortablejs */
interface SortableLibrary {
  create(
    root: HTMLElement,
    options: {
      onStart(event: { item: HTMLElement }): void;
      onMove(): boolean;
      onEnd(): void;
      [option: string]: unknown;
    },
  ): unknown;
}

/** static/vendor/htmx */
interface HtmxLibrary {
  ajax(verb: string, path: string, context: Record<string, string | Element>): Promise<void>;
}

interface Window {
  Sortable?: SortableLibrary;
  htmx?: HtmxLibrary;
}

// An element found by a selector is of the kind that the selector says, which types cannot know.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selectors: string): any;
}

// htmx tells of what it has put into the page.
interface HTMLElementEventMap {
  "htmx:load": CustomEvent;
}
