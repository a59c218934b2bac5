import { languages, markets, type Language, type Market } from '@purlin/contract/markets.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { sendPicture } from '#catalogue'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { drawEntry } from './draw-entry.ts'
import { readNewest, readTexts, readVersions, type VersionRow } from './entry-store.ts'
import { entryTextInput, factsInput, isEntryKind, nameInput, type EntryKind, type EntryText } from './entry.ts'
import { entryUrl } from './entry-urls.ts'
import { parseEntryBlocks } from './parse-entry-text.ts'
import { previewToken } from './preview-link.ts'
import { putEntry, scheduleEntry, withdrawEntry, type EntryRefusal } from './put-entry.ts'

/**
 * `/pictures/e/{kind}-{id}.svg`, and what operators do with entries: list, read, write a version, schedule it, take an
 * entry off. `server/README.md` shows a request.
 */
export function routes(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { file: string }; Querystring: { v?: unknown } }>(
    '/pictures/e/:file',
    { config: { action: 'goods.see' } },
    async (request, reply) => {
      const name = /^([\w-]{1,80})\.svg$/.exec(request.params.file)?.[1]
      const version = typeof request.query.v === 'string' ? request.query.v : null
      return sendPicture(request, reply, name ? await drawEntry(services.db, name, version) : null, version)
    },
  )
  void app.register(async (inner) => {
    setRoutesAction(inner, 'content.change')
    operatorRoutes(inner, services)
  })
}

const moment = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
)
/** Blocks as they are stored, or the Markdown they are written in. */
const markdownInput = v.strictObject({ ...v.omit(entryTextInput, ['blocks']).entries, markdown: v.pipe(v.string(), v.maxLength(100_000)) })
const wordsInput = v.union([entryTextInput, markdownInput])
const languagesInput = v.pipe(
  v.strictObject(v.entriesFromList(languages, v.optional(wordsInput))),
  v.check((texts) => Object.keys(texts).length > 0, 'An entry has words in one language at least'),
)
const versionInput = v.strictObject({
  key: nameInput,
  facts: v.omit(factsInput, ['id']),
  texts: languagesInput,
  replaces: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Without it the version is a draft. */
  from: v.optional(v.nullable(moment), null),
  until: v.optional(v.nullable(moment), null),
})
const scheduleInput = v.strictObject({ from: moment, until: v.optional(v.nullable(moment), null) })

const statusOf: Record<EntryRefusal, number> = {
  'replaced-meanwhile': 409,
  'key-taken': 409,
  'key-changed': 409,
  'ends-before-it-begins': 400,
  'names-missing': 400,
  'unknown-version': 404,
}

function operatorRoutes(app: FastifyInstance, { asCommand, db, hosts }: Services): void {
  const base = '/api/v1/operator/content/:kind'
  type Answer = (named: { kind: EntryKind; id: number; version: number }, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  const answer = (handle: Answer) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { kind = '', id = '1', version = '1' } = request.params as { kind?: string; id?: string; version?: string }
    const isNumber = (text: string) => /^[1-9]\d{0,8}$/.test(text)
    if (!isEntryKind(kind) || !isNumber(id) || !isNumber(version)) return reply.code(404).send({ error: 'There is no such entry' })
    return handle({ kind, id: Number(id), version: Number(version) }, request, reply)
  }
  const refuse = (reply: FastifyReply, { reason, details }: { reason: EntryRefusal; details?: string[] }) =>
    reply.code(statusOf[reason]).send({ error: reason, ...(details && { details }) })
  const links = (row: VersionRow): Partial<Record<Market, string>> =>
    Object.fromEntries(
      row.markets.flatMap((market) => {
        const [mode] = row.modes
        const head = row.heads[markets[market].language]
        const path = head ? entryUrl(row.kind, { ...row, title: head.title }, market) : null
        if (!path || !mode || !hosts.serves(market, mode)) return []
        return [[market, `${hosts.site(market, mode).origin}${path}?preview=${previewToken(row.kind, row.id, row.version, new Date())}`]]
      }),
    )
  const shown = (row: VersionRow) => ({
    id: row.id,
    key: row.key,
    version: row.version,
    from: row.liveFrom,
    until: row.liveUntil,
    markets: row.markets,
    modes: row.modes,
    titles: Object.fromEntries(Object.entries(row.heads).map(([language, { title }]) => [language, title])),
    writtenAt: row.writtenAt,
  })

  app.get(
    base,
    answer(async ({ kind }) => ({ entries: (await readNewest(db, kind)).map(shown) })),
  )
  app.get(
    `${base}/:id`,
    answer(async ({ kind, id }, _request, reply) => {
      const versions = await readVersions(db, kind, id)
      const [newest] = versions
      if (!newest) return reply.code(404).send({ error: 'There is no such entry' })
      const texts = (await readTexts(db, kind, id, newest.version)).map(({ language, ...text }) => [language, text])
      const { id: _id, ...facts } = newest.facts
      return { ...shown(newest), facts, texts: Object.fromEntries(texts), previews: links(newest), versions: versions.map(shown) }
    }),
  )
  app.put(
    `${base}/:id`,
    answer(async ({ kind, id }, request, reply) => {
      const input = v.safeParse(versionInput, request.body)
      if (!input.success) return reply.code(400).send({ error: said(input.issues) })
      const { facts, ...rest } = input.output
      const texts = readWords(input.output.texts)
      if (typeof texts === 'string') return reply.code(400).send({ error: texts })
      const result = await asCommand((scope) => putEntry(scope, { ...rest, kind, id, facts: { ...facts, id }, texts }))
      if (!result.ok) return refuse(reply, result)
      const written = (await readVersions(db, kind, id)).find(({ version }) => version === result.version)
      return reply.code(result.written ? 201 : 200).send({ version: result.version, previews: written ? links(written) : {} })
    }),
  )
  app.put(
    `${base}/:id/versions/:version/schedule`,
    answer(async (named, request, reply) => {
      const input = v.safeParse(scheduleInput, request.body)
      if (!input.success) return reply.code(400).send({ error: said(input.issues) })
      const result = await asCommand((scope) => scheduleEntry(scope, { ...named, ...input.output }))
      return result.ok ? reply.code(204).send() : refuse(reply, result)
    }),
  )
  app.delete(
    `${base}/:id`,
    answer(async ({ kind, id }, _request, reply) => {
      const was = await asCommand((scope) => withdrawEntry(scope, kind, id))
      return was ? reply.code(204).send() : reply.code(404).send({ error: 'There is no such entry' })
    }),
  )
}

/** The text of each language as blocks; one sentence if its Markdown is invalid. */
function readWords(given: v.InferOutput<typeof languagesInput>): Partial<Record<Language, EntryText>> | string {
  const texts: Partial<Record<Language, EntryText>> = {}
  for (const language of languages) {
    const words = given[language]
    if (!words) continue
    try {
      texts[language] = 'markdown' in words ? withBlocks(words) : words
    } catch (error) {
      return `${language}: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return texts
}

function withBlocks({ markdown, ...head }: v.InferOutput<typeof markdownInput>): EntryText {
  return v.parse(entryTextInput, { ...head, blocks: parseEntryBlocks(markdown) })
}

function said(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map((issue) => `${v.getDotPath(issue) ?? 'value'}: ${issue.message}`).join('; ')
}
