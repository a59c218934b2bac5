import { readFileSync } from 'node:fs'
import { ask, queryData } from '@purlin/e2e/support/ask.ts'
import { figure, type Figure } from './figures.ts'
import { goodsOf } from './goods.ts'
import { asked } from './questions.ts'
import { webProcesses } from './web-processes.ts'

interface Address {
  host: string
  path: string
}

interface Kind {
  name: string
  addresses: Address[]
  maxMs: number
}

/** Rendered before measuring, so that the compiler has seen every kind of page. */
const warmUp = 150
const measured = 300
const atOnce = 4

/**
 * CPU time of a page that is rendered for its request, in all threads of the web processes: main threads, garbage collection,
 * compression. CPU time hardly depends on what else the machine does. The shop must cache no pages (`PAGE_CACHE_MB=0`).
 */
export async function benchPageCpu(origin: string, parent: number | undefined): Promise<Figure[]> {
  const ids = webProcesses(parent).map(({ id }) => id)
  if (ids.length === 0) throw new Error('The web processes of the shop are not known: it must run on this machine, below `pid`')
  const figures: Figure[] = []
  for (const { name, addresses, maxMs } of await kindsOf(origin)) {
    await render(origin, addresses, warmUp)
    const before = cpuMs(ids)
    const bytes = await render(origin, addresses.slice(warmUp % addresses.length).concat(addresses), measured)
    figures.push(
      figure(`CPU of an uncached page: ${name}`, (cpuMs(ids) - before) / measured, 'ms', `<= ${maxMs}`),
      figure(`compressed size: ${name}`, bytes / measured, 'B'),
    )
  }
  return figures
}

async function kindsOf(origin: string): Promise<Kind[]> {
  const { port } = new URL(origin)
  const hosts = ['gb', 'fr', 'de', 'es', 'it'].flatMap((market) => [`${market}.localhost:${port}`, `pro.${market}.localhost:${port}`])
  const { categories, products } = await goodsOf(origin)
  const host = hosts[0]!
  const lists = await largeCategories(origin, categories)
  const places = await Promise.all(products.slice(0, 450).map((id) => placeOf(origin, { host, path: `/p/x-${id}` })))
  return [
    {
      name: 'category',
      addresses: ['', '?sort=price_asc', '?sort=price_desc', '?sort=rating', '?page=2'].flatMap((query) =>
        lists.map((path) => ({ host, path: path + query })),
      ),
      maxMs: 4,
    },
    { name: 'home', addresses: hosts.map((each) => ({ host: each, path: '/' })), maxMs: 4 },
    { name: 'product', addresses: places.filter((place) => place !== null), maxMs: 2.5 },
  ]
}

/** Paths of the categories that fill two pages of 48. */
async function largeCategories(origin: string, ids: readonly number[]): Promise<string[]> {
  const document = 'query ($id: Int!) { category(id: $id) { url } listing(input: { kind: category, id: $id, pageSize: 48 }) { total } }'
  const found: string[] = []
  for (const id of ids) {
    const { category, listing } = await queryData<{ category: { url: string } | null; listing: { total: number } }>(
      origin,
      asked(document, { id }),
    )
    if (category && listing.total >= 96) found.push(category.url)
  }
  if (found.length === 0) throw new Error('The shop is too small to measure lists: no category has 96 goods')
  return found
}

/** The address that one with a wrong slug leads to; null if there is no such page. */
async function placeOf(origin: string, { host, path }: Address): Promise<Address | null> {
  const { status, headers } = await ask(origin, { path, headers: { host } })
  return status === 301 && headers.location !== undefined ? { host, path: String(headers.location) } : null
}

/** Requests the addresses in turn, a few concurrently, and returns the bytes received. */
async function render(origin: string, addresses: readonly Address[], count: number): Promise<number> {
  let next = 0
  let bytes = 0
  const client = async (): Promise<void> => {
    while (next < count) {
      const { host, path } = addresses[next++ % addresses.length]!
      const { status, body } = await ask(origin, { path, headers: { host, 'accept-encoding': 'br' } })
      if (status !== 200) throw new Error(`${host}${path} answered ${status}`)
      bytes += body.length
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return bytes
}

/** CPU time of the processes with all their threads, in hundredths of a second. */
function cpuMs(ids: readonly number[]): number {
  return ids.reduce((sum, id) => {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The command name is in brackets and may contain anything.
    const facts = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return sum + (Number(facts[11]) + Number(facts[12])) * 10
  }, 0)
}
