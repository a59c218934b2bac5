import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPrefixer, splitPrefix } from './bare-pages.ts'
import { readForm } from './body.ts'
import { checkBundle } from './check-bundle.ts'
import { keptForAMinute, logFailure, retryAfterOf, statusOf, tooManyAnswer, withDeadline } from './failure.ts'
import type { FormFiles } from './form-files.ts'
import { bytesOf, filesOf } from './form-action.ts'
import { parseCookies } from './cookies.ts'
import type { CachedPage, FillAnswer, Filled, HtmlCache } from './html-cache.ts'
import { formLimits, type FormFields } from './form.ts'
import { isOutcome, type Outcome } from './outcomes.ts'
import { headerSafe, lastResort, overloaded } from './last-resort.ts'
import { withLeftOut } from './left-out.ts'
import { movedTo } from './moved-to.ts'
import type { LayoutModule, Loaded, PageModule, RequestContext } from './page.ts'
import { createPageMemory } from './page-memory.ts'
import type { ErrorData, PagesOptions, Site, Variation } from './pages-options.ts'
import { createPlaces } from './places.ts'
import { canonicalQuery, parseQuery, pickQuery, queryToSearch } from './query.ts'
import type { QueryValues } from './query-text.ts'
import { encodingOf, finishPage, headersOfShared, sendReply, tagsOf, type Reply } from './reply.ts'
import { compileRoutes, type Match, type Route } from './route-table.ts'
import { bareHeaders, isOwnRequest, widened, type ViewAllowance } from './security.ts'
import { createSendShared } from './send-shared.ts'
import { declaredVariations, everyVariation } from './variations.ts'
import { inThisTurn, nobody, noTurns, personalVisit, type RequestOptions, type Shown, type Turn, type Visit } from './visit.ts'

export interface Pages {
  handle(req: IncomingMessage, res: ServerResponse): void
  cache: HtmlCache
  /** Evicts pages with one of these tags; null when the changes are unknown, and all must go. */
  purge(tags: Iterable<string> | null): void
}

/** The page layer as a request listener: cache, route table, access, load, render. */
export function createPages<AnySite extends Site, Row extends Route, Context extends RequestContext>(
  options: PagesOptions<AnySite, Row, Context>,
): Pages {
  const { bundle, log, maxMs = 10_000 } = options
  checkBundle(options.routes, bundle)
  const match = compileRoutes(options.routes)
  const prefixed = createPrefixer(match)
  const { cache, conversions } = createPageMemory(options)
  const places = createPlaces(options.maximumAtOnce ?? 256)
  const remoteAddress = options.remoteAddress ?? ((req) => req.socket.remoteAddress ?? '')
  const tooMany = keptForAMinute<Reply['body']>()
  const sendShared = createSendShared({
    conversions,
    admit: (req) => options.admit?.(null, remoteAddress(req)),
    refuse: async (req, res, wait) => {
      const site = options.site(req.headers.host ?? '')
      if (site) await sendReply(req, res, await tooManyReply({ req, site, requestId: randomUUID() }, wait))
    },
    refuseAll: (res) => overloaded(res, options.busyAnswer),
  })

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const url = req.url ?? '/'
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const site = options.site(req.headers.host ?? '')
    const variation = site && isRead ? options.variation(site, req.headers.cookie) : null
    const alias = site && variation ? `${site.key}|${variation.key}|${everyVariation(variation)}|${url}` : ''
    const known = alias ? cache.byAlias(alias) : null
    if (known) options.nameRoute?.(res, 'cached')
    if (known && !known.revalidate) return sendShared(req, res, known.page)

    res.setHeader('x-content-type-options', 'nosniff')
    const at = url.indexOf('?')
    const pathname = at < 0 ? url : url.slice(0, at)
    if (options.assets(req, res, pathname)) return
    if (!known) options.nameRoute?.(res, 'none')
    if (!site) {
      res.writeHead(404, { ...bareHeaders, 'content-type': 'text/plain; charset=utf-8' }).end('App settings not found.')
      return
    }
    const parts = { ...splitPrefix(pathname, options.bare), search: at < 0 ? '' : url.slice(at) }
    const asked: RequestOptions<AnySite> = { req, site, ...parts, requestId: randomUUID() }
    if (known) sendShared(req, res, known.page)
    answer(asked, res, variation, alias, known !== null).catch((error: unknown) => {
      log.error({ err: error, requestId: asked.requestId, url: url.slice(0, 300) }, 'A request could not be answered')
      // A cached page has been sent already, or is being converted; only its revalidation failed.
      if (known || res.writableEnded) return
      if (!res.headersSent) lastResort(res, asked.requestId)
      else res.destroy()
    })
  }

  async function answer(
    asked: RequestOptions<AnySite>,
    res: ServerResponse,
    variation: Variation | null,
    alias: string,
    alreadySent: boolean,
  ): Promise<void> {
    const { req, site, pathname, search } = asked
    const method = req.method
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
      res.writeHead(405, { ...options.headers(site), allow: 'GET, HEAD, POST', 'cache-control': 'no-store' }).end()
      return
    }
    // Browsers read a backslash as a slash: such an address is none of ours, and is never repeated in a redirect. (V-16)
    const found = pathname.includes('\\') ? null : match(pathname, site.variant)
    if (found && !alreadySent) options.nameRoute?.(res, found.route.name)
    const moved = found && movedTo(found, pathname, search)
    if (moved && method !== 'POST') return sendReply(req, res, redirectReply(asked, moved.status, moved.to))

    const policy = found?.route.cache
    const page = found && pageOf(found.route)
    if (!found || !policy || !variation || method === 'POST' || !page) {
      const wait = await options.admit?.(found?.route ?? null, remoteAddress(req))
      if (wait) return sendReply(req, res, await tooManyReply(asked, wait))
      const turn: Turn<undefined> = (work) => inTurn(res, found?.route ?? null, work)
      const visit = personalVisit(asked, declaredVariations(found, variation))
      if (method !== 'POST') return turn(async () => sendReply(req, res, await make(asked, found, visit, inThisTurn)))
      const reply = await make(asked, found, visit, turn)
      return reply && sendReply(req, res, reply)
    }

    const query = pickQuery(parseQuery(search), policy.query ?? [])
    const key = [
      site.key + asked.prefix,
      variation.key,
      ...Object.values(declaredVariations(found, variation)),
      found.route.name,
      ...Object.values(found.params).map(encodeURIComponent),
      canonicalQuery(query),
    ].join('|')
    const kept = alreadySent ? null : cache.get(key)
    if (kept) {
      cache.alias(alias, key)
      sendShared(req, res, kept.page)
      if (!kept.revalidate) return
    }
    const isAnswered = kept !== null || alreadySent
    const wait = isAnswered ? null : await options.admit?.(found.route, remoteAddress(req))
    if (wait) return sendReply(req, res, await tooManyReply(asked, wait))
    if (!isAnswered) cache.request(key)
    // Decided after rendering: requests in the meantime count too.
    const isWanted = () => isAnswered || cache.admits(key)
    const fill = () => makeShared(asked, found, query, variation, isWanted)
    const work = async () => {
      const made = await cache.fill(key, fill)
      if (isAnswered) return
      if ('page' in made) {
        cache.alias(alias, key)
        sendShared(req, res, made.page, true)
      } else await sendReply(req, res, withLeftOut(made.reply, search, policy.query ?? []))
    }
    const done = inTurn(res, found.route, work, isAnswered)
    return isAnswered
      ? done.catch((error: unknown) => log.error({ err: error, requestId: asked.requestId, pathname }, 'A stale page could not be renewed'))
      : done
  }

  /** Renders when it is this request's turn; without one, a copy in the cache stays as it is and everybody else is told to come back. */
  async function inTurn<Value>(
    res: ServerResponse,
    row: Row | null,
    work: () => Promise<Value>,
    isAnswered = false,
  ): Promise<Value | undefined> {
    const leave = options.enter ? await options.enter(row, res) : noTurns
    // Places come after turns: those who wait for less important pages must not take them from the others. (V-12)
    if (!leave || !places.take()) {
      leave?.()
      return void (isAnswered || res.headersSent || overloaded(res, options.busyAnswer))
    }
    try {
      return await work()
    } finally {
      places.free()
      leave()
    }
  }

  /** A shared page: rendered without access to cookies, so that nothing personal can get into it. */
  async function makeShared(
    asked: RequestOptions<AnySite>,
    found: Match<Row>,
    query: QueryValues,
    variation: Variation,
    isWanted: () => boolean,
  ): Promise<FillAnswer<Made>> {
    const { cookieHeader } = variation
    const variations = declaredVariations(found, variation)
    // An external cache would show everybody the variation of the first visitor.
    const shareable = variation.shareable && Object.keys(variations).length === 0
    const visit = { shared: true, query, cookies: parseCookies(cookieHeader), cookieHeader, variations }
    const reply = await make(asked, found, visit, inThisTurn)
    const policy = found.route.cache
    if (reply.status !== 200 || reply.cookies.length > 0 || !reply.tags || !policy) {
      // Redirected, unknown or ended is a result; a failure is not, and a cached copy may still be served.
      return { result: { reply }, keep: null, drop: reply.status > 200 && reply.status < 411 }
    }
    const tags = tagsOf(policy, { ...found.params, site: asked.site.tag ?? '' }, reply.tags)
    const sharedHeaders = headersOfShared(reply.headers, { tags, policy, shareable })
    const accepted = encodingOf(asked.req.headers['accept-encoding'])
    const isKept = isWanted()
    const page = await finishPage(reply.body, sharedHeaders, { accepted, isKept })
    const keep: Filled = { page, tags, seconds: policy.seconds, stale: policy.stale }
    return { result: { page }, keep: isKept ? keep : null }
  }

  /** A form is read before its turn: a slow sender must not keep one. */
  async function make<Refused>(
    asked: RequestOptions<AnySite>,
    found: Match<Row> | null,
    visit: Visit,
    turn: Turn<Refused>,
  ): Promise<Tagged | Refused> {
    const { req, site, pathname, requestId } = asked
    const shown = showing(asked, found, visit)
    const { context } = shown
    const { method } = context
    try {
      if (method === 'POST' && !isOwnRequest(req.headers, site.origin)) return await turn(() => errorReply(shown, 403))
      if (!found || found.isNamed) return await turn(() => errorReply(shown, 404))
      const instead = await options.guard(found.route, context)
      if (instead) return await turn(() => outcomeReply(shown, instead))
      const page = pageOf(found.route)
      if (!page) return await turn(() => errorReply(shown, method === 'POST' ? 405 : 404))
      const posted = await readPosted(shown, page)
      if ('status' in posted) return await turn(() => errorReply(shown, posted.status))
      return await turn(() => withDeadline(showPage(shown, found.route, page, posted.form), maxMs))
    } catch (error) {
      logFailure(log, error, { requestId, pathname })
      return errorReply(shown, statusOf(error), null, retryAfterOf(error))
    }
  }

  function showing(asked: RequestOptions<AnySite>, found: Match<Row> | null, visit: Visit): Shown<Row, Context> {
    const { req, site, pathname, requestId } = asked
    const setCookies: string[] = []
    const context = options.context({
      site,
      base: {
        method: req.method as RequestContext['method'],
        origin: site.origin,
        pathname,
        prefix: asked.prefix,
        search: visit.shared ? queryToSearch(visit.query) : asked.search,
        params: found?.params ?? {},
        query: visit.query,
        requestId,
        shared: visit.shared,
        flashes: found?.route.flashes ?? [],
      },
      cookies: visit.cookies,
      cookieHeader: visit.cookieHeader,
      // A shared page is rendered from its address only: no header of the first visitor has any influence.
      headers: visit.shared ? {} : req.headers,
      remoteAddress: visit.shared ? '' : remoteAddress(req),
      setCookies,
      variations: visit.variations,
    })
    return { asked, context, setCookies, row: found?.route ?? null }
  }

  /** The form of a POST. Its duration depends on the sender's connection and is limited by the server, not by the page's deadline. */
  async function readPosted({ context, asked }: Shown<Row, Context>, { action }: PageModule<Context>): Promise<Posted> {
    if (context.method !== 'POST') return { form: null }
    if (!action) return { status: 405 }
    const fields = filesOf(action.schema)
    const { takeFile } = options
    const takesFiles = takeFile && Object.keys(fields).length > 0
    const files: FormFiles | undefined = takesFiles ? { fields, take: (name, source) => takeFile(context, name, source) } : undefined
    const bytes = bytesOf(action.schema)
    const read = await places.waitForSender(() => readForm(asked.req, files, bytes), Math.ceil(bytes / formLimits.bytes))
    if (!read) return { status: 503 }
    return read.ok ? { form: read.form } : { status: read.status }
  }

  async function showPage(shown: Shown<Row, Context>, row: Row, page: PageModule<Context>, form: FormFields | null): Promise<Tagged> {
    const { context } = shown
    let refusal: unknown
    let refusedStatus: number | undefined
    let typed: FormFields | undefined
    if (form && page.action) {
      const done = await page.action.run(context, form)
      if (done.outcome !== 'refuse') return outcomeReply(shown, done)
      refusal = done.refusal
      refusedStatus = done.status
      typed = form
    }
    const layout = layoutOf(row, page, shown.asked.prefix)
    const layoutLoad = loadLayout(layout, context)
    const loaded = page.load ? await page.load(context) : ({ data: null, title: row.name } satisfies Loaded<null>)
    if (isOutcome(loaded)) return outcomeReply(shown, loaded)
    const status = refusedStatus ?? loaded.status ?? 200
    const { layoutData, isWhole } = await layoutLoad
    const body = options.document({ row, context, page, layout, loaded, layoutData, refusal, typed, status })
    // Without tags it is not cached: a fallback must not outlive its moment.
    return { ...htmlReply(shown, status, body, loaded.allows), ...(loaded.keep !== false && isWhole && { tags: loaded.tags ?? [] }) }
  }

  /** A row that redirects, or has a handler of its own, has no page. */
  function pageOf(row: Row): PageModule<Context> | undefined {
    return row.page === undefined ? undefined : bundle.pages[row.page]
  }

  function layoutOf(row: Row, page: PageModule<Context>, prefix: string): LayoutModule<Context> | null {
    if (row.layout === 'none') return null
    if (prefix) return bundle.layouts[options.bare?.layout ?? 'base'] ?? null
    if (row.layout === 'custom') {
      if (page.Layout) return { Layout: page.Layout }
      throw new Error(`Page ${row.name} has a custom layout but brings no Layout`)
    }
    return bundle.layouts[row.layout] ?? bundle.layouts['base'] ?? null
  }

  async function loadLayout(layout: LayoutModule<Context> | null, context: Context): Promise<{ layoutData: unknown; isWhole: boolean }> {
    try {
      const layoutData: { keep?: boolean } | null = (await layout?.load?.(context)) ?? null
      return { layoutData, isWhole: layoutData?.keep !== false }
    } catch (error) {
      // A menu must never cost a page: the layout shows itself without it.
      log.warn({ err: error, requestId: context.requestId }, 'A layout is shown without its data')
      return { layoutData: null, isWhole: false }
    }
  }

  async function outcomeReply(shown: Shown<Row, Context>, outcome: Outcome): Promise<Reply> {
    if (outcome.outcome === 'not-found') return errorReply(shown, 404, outcome.explanation ?? null)
    if (outcome.outcome === 'gone') return errorReply(shown, 410, outcome.data)
    if (outcome.flash) shown.setCookies.push(options.flashCookie(shown.asked.site as AnySite, outcome.flash))
    // After a form the next page is always requested with GET.
    const status = shown.context.method === 'POST' && (outcome.status === 301 || outcome.status === 302) ? 303 : outcome.status
    return { ...redirectReply(shown.asked as RequestOptions<AnySite>, status, outcome.to), cookies: shown.setCookies }
  }

  async function errorReply(shown: Shown<Row, Context>, status: number, instead: unknown = null, retryAfter?: number): Promise<Reply> {
    const { context, asked } = shown
    const data: ErrorData = { status, requestId: asked.requestId, instead }
    // A missing page has the base layout; a failing one keeps its own, so that the funnel stays the funnel.
    const ownName = shown.row && shown.row.layout !== 'none' && shown.row.layout !== 'custom' ? shown.row.layout : 'base'
    const layout = bundle.layouts[(asked.prefix && options.bare?.layout) || ownName] ?? null
    const [loaded, { layoutData }] = await Promise.all([
      bundle.errorPage.load?.({ ...context, errorData: data }),
      loadLayout(layout, context),
    ])
    if (!loaded || isOutcome(loaded)) throw new Error('The error page must not lead elsewhere')
    const body = options.document({ row: null, context, page: bundle.errorPage, layout, loaded, layoutData, status })
    const reply = htmlReply(shown, status, body)
    if (status === 503 || status === 429) reply.headers['retry-after'] = String(retryAfter ?? (status === 503 ? 5 : 60))
    // A refused body is not read to its end either.
    if ([403, 405, 413, 415].includes(status) && context.method === 'POST') reply.headers['connection'] = 'close'
    if (status === 405) reply.headers['allow'] = 'GET, HEAD'
    reply.headers['cache-control'] = 'private, no-store'
    return reply
  }

  /** The same for everybody, and made once a minute: a flood of refusals must not cost what pages cost. */
  async function tooManyReply(asked: Pick<RequestOptions<AnySite>, 'req' | 'site' | 'requestId'>, retryAfter: number): Promise<Reply> {
    const shown = () => showing({ ...asked, prefix: '', pathname: '/', search: '' }, null, nobody)
    const body = await tooMany(asked.site.key, async () => (await errorReply(shown(), 429)).body)
    return tooManyAnswer(body, { ...options.headers(asked.site), 'x-request-id': asked.requestId }, retryAfter)
  }

  function htmlReply(shown: Shown<Row, Context>, status: number, body: string, allows: ViewAllowance = {}): Reply {
    const isPrivate = shown.row !== null && shown.row.access !== 'public'
    return {
      status,
      body: prefixed.html(body, shown.asked.prefix),
      cookies: shown.setCookies,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        ...widened(options.headers(shown.asked.site as AnySite), allows),
        ...(shown.asked.prefix && { 'x-robots-tag': 'noindex' }),
        'x-request-id': shown.asked.requestId,
        'cache-control': isPrivate ? 'private, no-store' : 'private, no-cache',
        vary: 'Accept-Encoding, Cookie',
      },
    }
  }

  function redirectReply(asked: RequestOptions<AnySite>, status: number, to: string): Reply {
    return {
      status,
      body: '',
      cookies: [],
      headers: {
        ...options.headers(asked.site),
        location: headerSafe(prefixed.address(to, asked.prefix)),
        'x-request-id': asked.requestId,
        'cache-control': 'private, no-cache',
      },
    }
  }

  return { handle, cache, purge: (tags) => void (tags === null ? cache.clear() : cache.purge(tags)) }
}

type Tagged = Reply & { tags?: string[] }
type Posted = { form: FormFields | null } | { status: number }
type Made = { page: CachedPage } | { reply: Reply }
