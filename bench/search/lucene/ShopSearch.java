// SPDX-License-Identifier: MIT

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.util.ElisionFilter;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MultiCollector;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.grouping.BlockGroupingCollector;
import org.apache.lucene.search.grouping.TopGroups;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/**
 * The lists of the shop by Lucene, in one thread: 48 models, their best document each, and facets counted in models.
 *
 * <p>Arguments: a file of documents and a folder for the index. Both the file and the queries on standard input are lines of a
 * letter and fields separated by tabs, ended by an empty line. Each query is answered by a line of its nanoseconds and, if it has
 * a line "a", its JSON. With a line "h", documents are kept in the heap once read; otherwise each is read from its stored fields.
 */
public final class ShopSearch {
  private static final int HITS = 48;
  private static final String ALL = "_all", SURFACES = "_surfaces", GROUP_END = "_group_end", JSON = "_json";
  /** Fields that raise the score of a word, as the shop's settings weight them; every word must be in one of all fields. */
  private static final Map<String, Float> BOOSTS = Map.of("title", 4f, "thing", 16f);

  private final Analyzer stems = analyzer(true);
  private final Analyzer surfaces = analyzer(false);
  private final IndexSearcher searcher;
  private final LeafReader leaf;
  private final Weight groupEnds;
  private final int[] groupOf;
  private final int groups;
  private final Map<String, Facet> facets = new HashMap<>();
  /** Documents as they are written into answers, for queries that may keep them. */
  private final byte[][] written;
  private int[] matched = new int[1024];
  /** Number of the first group in this query; no two queries share one. */
  private long firstGroup;

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[1]);
    index(Path.of(arguments[0]), folder);
    ShopSearch search = new ShopSearch(folder);
    OutputStream out = System.out;
    out.write((search.leaf.maxDoc() + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Answer answer = new Answer();
    for (List<String[]> query; (query = lines(in)) != null; ) {
      long from = System.nanoTime();
      answer.reset();
      search.answer(query, answer);
      long nanos = System.nanoTime() - from;
      out.write((nanos + "\t").getBytes(StandardCharsets.UTF_8));
      if (has(query, "a")) answer.writeTo(out);
      out.write('\n');
      out.flush();
    }
  }

  private ShopSearch(Path folder) throws IOException {
    MMapDirectory directory = new MMapDirectory(folder);
    directory.setPreload(true);
    DirectoryReader reader = DirectoryReader.open(directory);
    searcher = new IndexSearcher(reader);
    if (reader.leaves().size() != 1) throw new IllegalStateException("the index has several segments");
    leaf = reader.leaves().get(0).reader();
    groupEnds = searcher.createWeight(new TermQuery(new Term(GROUP_END, "1")), ScoreMode.COMPLETE_NO_SCORES, 1);
    written = new byte[leaf.maxDoc()][];
    groupOf = new int[leaf.maxDoc()];
    PostingsEnum ends = leaf.postings(new Term(GROUP_END, "1"), PostingsEnum.NONE);
    int count = 0;
    for (int from = 0, end; (end = ends.nextDoc()) != PostingsEnum.NO_MORE_DOCS; from = end + 1) Arrays.fill(groupOf, from, end + 1, count++);
    groups = count;
  }

  private static Analyzer analyzer(boolean isStemmed) {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer words = new StandardTokenizer();
        TokenStream folded = new ElisionFilter(new LowerCaseFilter(words), FrenchAnalyzer.DEFAULT_ARTICLES);
        folded = new ASCIIFoldingFilter(new StopFilter(folded, FrenchAnalyzer.getDefaultStopSet()));
        return new TokenStreamComponents(words, isStemmed ? new SnowballFilter(folded, "French") : folded);
      }
    };
  }

  /** Documents of a group are a block, in the order of the file; the index is merged to one segment. */
  private static void index(Path file, Path folder) throws IOException {
    FieldType presence = new FieldType();
    presence.setIndexOptions(IndexOptions.DOCS);
    presence.setOmitNorms(true);
    presence.setTokenized(true);
    presence.freeze();
    IndexWriterConfig config = new IndexWriterConfig(new PerFieldAnalyzerWrapper(analyzer(true), Map.of(SURFACES, analyzer(false))));
    config.setRAMBufferSizeMB(256);
    try (IndexWriter writer = new IndexWriter(new MMapDirectory(folder), config);
        BufferedReader in = Files.newBufferedReader(file)) {
      List<Document> block = new ArrayList<>();
      String group = null;
      for (List<String[]> lines; (lines = lines(in)) != null; ) {
        Document document = new Document();
        StringBuilder text = new StringBuilder();
        String its = null;
        for (String[] line : lines) {
          switch (line[0]) {
            case "g" -> its = line[1];
            case "j" -> document.add(new StoredField(JSON, line[1].getBytes(StandardCharsets.UTF_8)));
            case "t" -> {
              text.append(line[2]).append(' ');
              if (BOOSTS.containsKey(line[1])) document.add(new TextField(line[1], line[2], Field.Store.NO));
            }
            case "n" -> addNumber(document, line[1], Double.parseDouble(line[2]));
            default -> {
              document.add(new StringField(line[1], line[2], Field.Store.NO));
              document.add(new SortedSetDocValuesField(line[1], new BytesRef(line[2])));
            }
          }
        }
        document.add(new TextField(ALL, text.toString(), Field.Store.NO));
        document.add(new Field(SURFACES, text.toString(), presence));
        if (group != null && !group.equals(its)) addBlock(writer, block);
        group = its;
        block.add(document);
      }
      if (!block.isEmpty()) addBlock(writer, block);
      writer.forceMerge(1);
    }
  }

  private static void addNumber(Document document, String name, double value) {
    document.add(new DoublePoint(name, value));
    document.add(new SortedNumericDocValuesField(name, NumericUtils.doubleToSortableLong(value)));
  }

  private static void addBlock(IndexWriter writer, List<Document> block) throws IOException {
    block.get(block.size() - 1).add(new StringField(GROUP_END, "1", Field.Store.NO));
    writer.addDocuments(block);
    block.clear();
  }

  private static List<String[]> lines(BufferedReader in) throws IOException {
    List<String[]> lines = new ArrayList<>();
    for (String line; (line = in.readLine()) != null; lines.add(line.split("\t", -1))) if (line.isEmpty()) return lines;
    return null;
  }

  private void answer(List<String[]> asked, Answer answer) throws IOException {
    boolean isKept = has(asked, "h");
    Matches matches = new Matches();
    BlockGroupingCollector best = new BlockGroupingCollector(Sort.RELEVANCE, HITS, true, groupEnds);
    searcher.search(queryOf(asked), MultiCollector.wrap(best, matches));
    TopGroups<?> top = best.getTopGroups(Sort.RELEVANCE, 0, 0, 1);
    answer.add("{\"nbHits\":").add(String.valueOf(top == null ? 0 : top.totalGroupCount)).add(",\"hits\":[");
    for (int at = 0; top != null && at < top.groups.length; at++) {
      if (at > 0) answer.add(",");
      addDocument(top.groups[at].scoreDocs[0].doc, isKept, answer);
    }
    answer.add("],\"facets\":{");
    boolean isFirst = true;
    for (String[] line : asked) {
      if (!line[0].equals("c")) continue;
      Facet facet = facets.get(line[1]);
      if (facet == null) facets.put(line[1], facet = new Facet(line[1]));
      answer.add(isFirst ? "\"" : ",\"").add(line[1]).add("\":{");
      facet.count(matches.count, answer);
      answer.add("}");
      isFirst = false;
    }
    answer.add("}}");
    firstGroup += groups;
  }

  private void addDocument(int number, boolean isKept, Answer answer) throws IOException {
    if (isKept && written[number] != null) {
      answer.add(written[number]);
      return;
    }
    BytesRef bytes = leaf.document(number, Set.of(JSON)).getBinaryValue(JSON);
    answer.write(bytes.bytes, bytes.offset, bytes.length);
    if (isKept) written[number] = Arrays.copyOfRange(bytes.bytes, bytes.offset, bytes.offset + bytes.length);
  }

  private static boolean has(List<String[]> asked, String letter) {
    return asked.stream().anyMatch(line -> line[0].equals(letter));
  }

  private Query queryOf(List<String[]> asked) throws IOException {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String[] line : asked) {
      switch (line[0]) {
        case "q" -> addWords(query, line[1]);
        case "f" -> {
          BytesRef[] values = Arrays.stream(line).skip(2).map(BytesRef::new).toArray(BytesRef[]::new);
          query.add(values.length == 1 ? new TermQuery(new Term(line[1], values[0])) : new TermInSetQuery(line[1], values), Occur.FILTER);
        }
        case "r" -> query.add(rangeOf(line[1], Double.parseDouble(line[2]), Double.parseDouble(line[3])), Occur.FILTER);
        default -> {}
      }
    }
    return query.build();
  }

  private static Query rangeOf(String name, double low, double high) {
    long from = NumericUtils.doubleToSortableLong(low), to = NumericUtils.doubleToSortableLong(high);
    return new IndexOrDocValuesQuery(
        DoublePoint.newRangeQuery(name, low, high), SortedNumericDocValuesField.newSlowRangeQuery(name, from, to));
  }

  /** Every word must match; the last one may be the beginning of a longer word. */
  private void addWords(BooleanQuery.Builder query, String text) throws IOException {
    List<String> words = tokens(stems, text), typed = tokens(surfaces, text);
    if (words.isEmpty()) query.add(new MatchAllDocsQuery(), Occur.MUST);
    for (int at = 0; at < words.size(); at++) {
      Query word = new TermQuery(new Term(ALL, words.get(at)));
      if (at == words.size() - 1) {
        Query begun = new BoostQuery(new PrefixQuery(new Term(SURFACES, typed.get(at))), 0.1f);
        word = new BooleanQuery.Builder().add(word, Occur.SHOULD).add(begun, Occur.SHOULD).build();
      }
      query.add(word, Occur.MUST);
      for (Map.Entry<String, Float> boost : BOOSTS.entrySet())
        query.add(new BoostQuery(new TermQuery(new Term(boost.getKey(), words.get(at))), boost.getValue()), Occur.SHOULD);
    }
  }

  private static List<String> tokens(Analyzer analyzer, String text) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream(ALL, new StringReader(text))) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) tokens.add(term.toString());
      stream.end();
    }
    return tokens;
  }

  /** Collects all matching documents, for the facets. */
  private final class Matches extends SimpleCollector {
    int count;

    @Override
    public void collect(int document) {
      if (count == matched.length) matched = Arrays.copyOf(matched, 2 * count);
      matched[count++] = document;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext context) {}

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  /** Counts of one facet in groups, by ordinals: the documents of a group are neighbours, so the last group counted tells. */
  private final class Facet {
    private final String name;
    private final byte[][] values;
    private final int[] counts;
    private final long[] counted;
    private final int[] found;
    private int founds;

    Facet(String name) throws IOException {
      this.name = name;
      SortedSetDocValues all = DocValues.getSortedSet(leaf, name);
      int size = (int) all.getValueCount();
      values = new byte[size][];
      for (int ordinal = 0; ordinal < size; ordinal++) {
        String value = all.lookupOrd(ordinal).utf8ToString().replace("\\", "\\\\").replace("\"", "\\\"");
        values[ordinal] = ("\"" + value + "\":").getBytes(StandardCharsets.UTF_8);
      }
      counts = new int[size];
      counted = new long[size];
      Arrays.fill(counted, -1);
      found = new int[size];
    }

    void count(int matches, Answer answer) throws IOException {
      SortedSetDocValues several = DocValues.getSortedSet(leaf, name);
      SortedDocValues single = DocValues.unwrapSingleton(several);
      founds = 0;
      for (int at = 0; at < matches; at++) {
        int document = matched[at];
        if (single != null) {
          if (single.advanceExact(document)) add(single.ordValue(), firstGroup + groupOf[document]);
        } else if (several.advanceExact(document)) {
          for (long ordinal; (ordinal = several.nextOrd()) != SortedSetDocValues.NO_MORE_ORDS; )
            add((int) ordinal, firstGroup + groupOf[document]);
        }
      }
      for (int at = 0; at < founds; at++) {
        int ordinal = found[at];
        if (at > 0) answer.add(",");
        answer.add(values[ordinal]).add(String.valueOf(counts[ordinal]));
        counts[ordinal] = 0;
      }
    }

    private void add(int ordinal, long group) {
      if (counted[ordinal] == group) return;
      counted[ordinal] = group;
      if (counts[ordinal]++ == 0) found[founds++] = ordinal;
    }
  }

  private static final class Answer extends ByteArrayOutputStream {
    Answer add(String text) {
      return add(text.getBytes(StandardCharsets.UTF_8));
    }

    Answer add(byte[] bytes) {
      write(bytes, 0, bytes.length);
      return this;
    }
  }
}
