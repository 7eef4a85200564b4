// The types of data that pages exchange with the server. No page loads this module. The values are made in
// annotations/selectors/drafts (the workspace, changes, history) and annotations/drafting (state, operations, changes).

/**
 * One thing that somebody does to a draft: its kind and the fields of that kind, which operations.js carries out.
 * @typedef {{kind: string, [field: string]: Json}} Operation
 *
 * One primitive change of a draft's state; changes.js lists them.
 * @typedef {{c: string, [field: string]: Json}} Change
 *
 * @typedef {object} Entry an entry of the log, with the fields that responses contain
 * @property {string} id the id of its batch
 * @property {number} revision
 * @property {string} by
 * @property {string} label
 * @property {Operation[]|null} [operations] null for an undo or redo
 * @property {Change[]} changes
 * @property {number|null} [undoes] a revision
 * @property {number|null} [redoes] a revision
 * @property {number|null} [restores] a revision, by anybody
 * @property {Skipped[]} [skipped] requests that were not carried out, and why
 *
 * @typedef {{message: string, by: string|null, revision: number|null}} Skipped
 *
 * @typedef {{revision: number, by: string, at: string, label: string, skipped?: Skipped[]}} HistoryRow an entry without
 *   its changes; `at` is in ISO 8601
 *
 * @typedef {object} Loss pages that this person had put into a topic that somebody else deleted
 * @property {number} revision the revision of the entry that deleted it
 * @property {string} by
 * @property {string} label
 * @property {string} topic
 * @property {string} name the name of the topic
 * @property {string[]} pages
 *
 * @typedef {{revision: number, by: string, label: string, gone: string[], also?: number}} Clash an entry by somebody
 *   else; `gone`: topics it deleted or merged; `also`: how many more pages its author has put there
 *
 * @typedef {{revision: number, label: string}} Step the target of an undo or redo
 *
 * @typedef {object} PageInfo a page of the list; long values are shortened here and come in full with its text
 * @property {string} id
 * @property {number|null} rank
 * @property {string} title
 * @property {string} url
 * @property {string} host
 * @property {string} snippet
 *
 * @typedef {object} PageDetails what the site says about one page when it is opened
 * @property {string} [snippet] the full snippet of the search engine
 * @property {string} [text] the full text, if it is stored
 * @property {{page: string, score: number}[]} [similar] pages with words in common, with a similarity from 0 to 1, the
 *   most similar first
 * @property {HistoryRow[]} [history] the entries that concern the page, the latest first
 *
 * @typedef {{name: string, page: string|null, seconds: number}} Person somebody who has the draft open, and the page
 *   they are looking at
 *
 * @typedef {object} Draft
 * @property {number} id
 * @property {string} name
 * @property {"shared"|"own"|"adjudication"} kind
 * @property {"open"|"submitted"} status
 * @property {boolean} archived
 * @property {number} revision
 * @property {string|null} curator
 * @property {boolean} may_edit
 * @property {boolean} may_submit true if the person can submit the draft, or reopen it once it is submitted
 * @property {boolean} may_publish
 * @property {{words?: string}|null} started_from
 *
 * @typedef {object} Urls the URLs for scripts
 * @property {string} draft
 * @property {string} operations
 * @property {string} changes
 * @property {string} presence
 * @property {string} history
 * @property {string} losses
 * @property {string} document
 * @property {string} submit
 * @property {string} reopen
 * @property {string} suggestions
 * @property {string} pages searches for pages with words and filters
 * @property {string} predictions
 * @property {string} groups `{topic}` stands for the percent-encoded id of a topic
 * @property {string} page `{key}` stands for the percent-encoded id of a page
 * @property {string} publish
 * @property {string} query
 * @property {string} drafts
 * @property {string} guidelines
 * @property {string} guidelines_news
 * @property {string} curate
 *
 * @typedef {object} Topic a topic of a draft's state; never changed in place, so that states can share it
 * @property {string} id
 * @property {string} name
 * @property {string} description
 * @property {string} note
 * @property {string|null} parent
 * @property {number} step how many levels below this topic its children start; at least 1
 * @property {boolean} suggested true until somebody accepts it; until then it counts for nothing
 * @property {Record<string, unknown>} extra further fields of the document
 *
 * @typedef {object} StateJson see `toJSON` of state.js
 * @property {(Partial<Topic> & {id: string, name: string})[]} [topics]
 * @property {Record<string, string[]>} [members]
 * @property {Record<string, string[]>} [hints]
 * @property {string[]} [outliers]
 * @property {string[]} [flags]
 * @property {Record<string, string>} [notes]
 * @property {Record<string, number>} [touched]
 * @property {Record<string, number>} [changed]
 * @property {Record<string, Record<string, [string, boolean]>>} [meant] topic merged away -> page -> where it is instead
 * @property {Record<string, number>} [marks] topics that are or were on level 1 -> their marks
 * @property {Record<string, unknown>} [extra]
 *
 * @typedef {object} Workspace everything the workspace starts with
 * @property {Draft} draft
 * @property {{slug: string, name: string, guidelines: boolean}} collection
 * @property {{key: string, text: string, function_words: string[]}} query `function_words`: words that do not
 *   distinguish topics
 * @property {PageInfo[]} pages
 * @property {StateJson} state
 * @property {[number, string][]} [authors] the first revision of each new person who placed pages
 * @property {Step|null} [undo]
 * @property {Step|null} [redo]
 * @property {Loss[]} [losses]
 * @property {Person[]} people
 * @property {string} me
 * @property {{query: string, address: string}|null} next what else is assigned to the person, once the draft is
 *   submitted
 * @property {Urls} urls
 * @property {{number: number, read: number}} guidelines the current version, and the one that this person read last; 0
 *   for none
 * @property {{at: number, results: import("../discussion/comment-store.js").Thread[], people: import("../discussion/comment-store.js").Nameable[], urls: Record<string, string>}} talk
 * @property {string[]|null} [disagree] pages on which two drafts disagree
 *
 * @typedef {object} Changes what happened after a revision; an error response may lack any part
 * @property {Entry[]} [entries]
 * @property {number} [revision]
 * @property {Step|null} [undo]
 * @property {Step|null} [redo]
 * @property {Draft["status"]} [status]
 * @property {boolean} [archived]
 * @property {Person[]} [people]
 * @property {number} [talk] the number of the latest change to the draft's comments
 * @property {number} [guidelines] the current version
 *
 * @typedef {object} BatchProblem what the `error` object of a response says about a rejected batch
 * @property {Entry[]} [missed] entries that the browser did not know yet
 * @property {Clash[]} [clashes] changes by others that conflict with the batch
 */

export {};
