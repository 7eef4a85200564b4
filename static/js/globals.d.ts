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

// Types end at these edges. Nothing else may be `any`.

/** JSON from the site or from the browser's storage, and details of custom events. Whoever reads it says what it is. */
type Json = any;

/** An element that was found by its id or by a selector: the caller knows its kind. */
type FoundElement = any;

/** Attributes of an element that is made: functions for `on<event>`, an object for `data`, and values. */
type Attributes = Record<string, any>;

// An element found by a selector is of the kind that the selector says, which types cannot know.
interface ParentNode {
  querySelector(selectors: string): FoundElement;
  querySelectorAll(selectors: string): NodeListOf<FoundElement>;
}

interface Element {
  closest(selectors: string): FoundElement;
}

// htmx tells of what it has put into the page.
interface HTMLElementEventMap {
  "htmx:load": CustomEvent;
}
