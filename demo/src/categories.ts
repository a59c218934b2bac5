import { readData, type AttributeValue } from './grammar.ts'
import { inFive, slugOf, type InFive } from './languages.ts'

interface TreeNode {
  id: number
  parent: number | null
  level: number
  department: string
  names: InFive
  /** Product family of a leaf. */
  family?: string
  /** Values to which the leaf restricts the family. */
  only?: Record<string, AttributeValue[]>
  /** Its share of the shop; 1 by default. */
  weight?: number
  /** Key of the applicable reduced VAT rates. */
  vat?: 'plants' | 'seeds'
}

export interface DemoCategory extends TreeNode {
  path: number[]
  position: number
  slugs: InFive
  texts: InFive
}

export type Leaf = DemoCategory & { family: string }

/** Germany's zero rate for photovoltaics depends on it. */
export const solarCategoryId = 2257

const introductions: Record<keyof InFive, (name: string) => string> = {
  en: (name) => `${name}: compare prices, delivery times and sellers side by side, and read the technical details before you decide.`,
  fr: (name) => `${name} : comparez les prix, les délais de livraison et les vendeurs, et consultez les caractéristiques avant de choisir.`,
  de: (name) =>
    `${name}: Vergleichen Sie Preise, Lieferzeiten und Händler und lesen Sie die technischen Daten, bevor Sie sich entscheiden.`,
  es: (name) => `${name}: compare precios, plazos de entrega y vendedores, y consulte las características antes de decidir.`,
  it: (name) => `${name}: confronti prezzi, tempi di consegna e venditori e legga le caratteristiche tecniche prima di scegliere.`,
}

function growTree(): DemoCategory[] {
  const nodes = readData<TreeNode[]>('categories.json')
  const paths = new Map<number, number[]>()
  const children = new Map<number | null, number>()
  return nodes.map((node) => {
    const path = [...(node.parent === null ? [] : (paths.get(node.parent) ?? [])), node.id]
    paths.set(node.id, path)
    const position = children.get(node.parent) ?? 0
    children.set(node.parent, position + 1)
    return {
      ...node,
      path,
      position,
      slugs: inFive((language) => slugOf(node.names[language], language)),
      texts: inFive((language) => introductions[language](node.names[language])),
    }
  })
}

export const categories = growTree()
export const leaves = categories.filter((category): category is Leaf => category.family !== undefined)
