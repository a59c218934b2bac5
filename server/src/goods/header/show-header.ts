import { reference } from '#catalogue'
import { listEntries } from '#content'
import { inMemory, type Db, type SiteScope } from '#platform'
import { campaignsOf, firstForEach, isLive, showItem, type Item } from './item.ts'
import { readItems } from './store.ts'

export const headerTag = 'header'
/** A purge of its tag makes a change visible at once; this only bounds the delay after a lost purge. */
const keptMs = 600_000
const memory = inMemory<Item[]>('header', { keptMs })

/** All items. */
const items = ({ db }: { db: Db }): Promise<Item[]> => memory.read(() => readItems(db.reads))

export function forgetHeader(): void {
  memory.forget()
}

/** A part of the header: a part that fails is empty and costs neither the others nor the page. */
async function part<Value>(
  scope: SiteScope,
  name: string,
  load: () => Promise<Value[]>,
): Promise<{ state: 'success' | 'failure'; items: Value[] }> {
  try {
    return { state: 'success', items: await load() }
  } catch (error) {
    scope.log.error({ err: error, part: name }, 'A part of the header could not be loaded')
    return { state: 'failure', items: [] }
  }
}

const live = async (scope: SiteScope) => (await items(scope)).filter((item) => isLive(item, scope))
/** As many for guests and as many for customers: pages are the same for both, and a script shows each theirs. */
const ofKind = async (scope: SiteScope, kind: Item['kind'], count: number) =>
  firstForEach(
    (await live(scope)).filter((item) => item.kind === kind),
    count,
  ).map((item) => showItem(item, scope.market))

const bannersShown = 2
const quickLinksShown = 4
const preHeadersShown = 1

/** Menu, quick links, banners and pre-header of a storefront, from memory. Source: spec §3 (header state), R-420…R-423. */
export async function showHeader(scope: SiteScope) {
  const [menu, quickLinks, banners, preHeader] = await Promise.all([
    part(scope, 'menu', async () => (await reference(scope)).categories.departments),
    part(scope, 'quick links', () => ofKind(scope, 'quick-link', quickLinksShown)),
    part(scope, 'banners', async () =>
      (await listEntries(scope, { kind: 'banner', first: bannersShown })).filter(({ url }) => url !== null),
    ),
    part(scope, 'pre-header', () => ofKind(scope, 'pre-header', preHeadersShown)),
  ])
  const parts = [menu, quickLinks, banners, preHeader]
  const state = parts.some((each) => each.state === 'failure') ? ('failure' as const) : ('success' as const)
  return { state, menu, quickLinks, banners, preHeader }
}

/** Campaigns for the menu of a category and its family, the department. */
export async function showCampaigns(scope: SiteScope, wanted: { categoryId: number; familyId: number }) {
  const { byId } = (await reference(scope)).categories
  const isBelow = (id: number) => byId.get(id)?.path.includes(wanted.categoryId) ?? false
  return campaignsOf(await live(scope), wanted, isBelow).map((item) => showItem(item, scope.market))
}
