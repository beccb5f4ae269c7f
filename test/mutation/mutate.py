# SPDX-License-Identifier: BSD-3-Clause
"""Puts mistakes into the rules of include/etna/ops: wrong signs, axes, factors and operands, missing terms and statements.

All mutants are in one program. A function body becomes

    { if (etna::mutant(17)) { the body with one mistake } ... the body }

and the run says by its environment which mistake is made (constant evaluation makes none, so only tests of the eager
kind, which run the rules at run time, say something). So one compilation serves some thousand mutants.

    mutate.py write SOURCE TARGET LIST [PATTERN] [DROPPED]   mutated headers below TARGET, the mutants' list to LIST
    mutate.py errors LIST DROPPED < compiler's output        mutants that do not compile are added to DROPPED
"""
import os
import re
import resource
import subprocess
import sys

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|[A-Za-z_]\w*|\d[\w.]*|'
                   r'->|\+\+|--|\+=|-=|\*=|/=|\|=|&&|\|\||==|!=|<=|>=|::|\.\.\.|\S', re.S)
PAIRS = {'(': ')', '[': ']', '{': '}'}
FILES_WITHOUT_RULES = {'list.hpp', 'rule.hpp', 'table.hpp', 'recipe.hpp'}
# Columns that are no transform's rule (shapes are types, what they say is compiled), and tests' own.
NOT_RULES = {'make_samples', 'one_operand', 'shape', 'accepted', 'reference', 'reference_f32', 'lower', 'identity', 'wins', 'run', 'units',
             'read', 'misfit', 'block_parts', 'results_of', 'type_of_result', 'write', 'samples_with', 'shifts_within', 'decltype', 'name',
             # how single numbers are computed
             'mix', 'word', 'words', 'round', 'inject', 'four_rounds', 'mantissa_log', 'log_of', 'evaluate', 'fraction', 'log_one_less', 'pick',
             'sum_of_terms', 'log_term', 'term', 'shift', 'border', 'negated', 'integer_power'}
TYPES = {'var', 'int', 'bool', 'double', 'auto', 'const', 'extent', 'graph', 'eqn', 'tensor_type', 'int64_t', 'sample', 'char', 'T', 'row'}
CASTS = {'int', 'bool', 'double', 'float', 'extent', 'T', 'int64_t', 'size_t', 'uint32_t'}
COMMUTATIVE = {'eq', 'mul', 'logical_and', 'add'}
COMMUTATIVE_ROWS = {'eq_p', 'mul_p', 'logical_and_p', 'add_p', 'max_p', 'min_p'}
KEYWORDS = {'if', 'for', 'while', 'switch', 'return', 'sizeof', 'constexpr', 'new', 'delete'}


class Source:
    def __init__(self, text):
        self.text = text
        self.tokens = []
        for m in TOKEN.finditer(text):
            t = m.group()
            line_start = text.rfind('\n', 0, m.start()) + 1
            if t.startswith('//') or t.startswith('/*') or text[line_start:m.start() + 1].lstrip().startswith('#'):
                continue
            self.tokens.append((t, m.start(), m.end()))
        self.match = {}
        stack = []
        for i, (t, _, _) in enumerate(self.tokens):
            if t in PAIRS:
                stack.append(i)
            elif t in PAIRS.values():
                j = stack.pop()
                self.match[i], self.match[j] = j, i
        self.angle = {}
        for i, (t, _, _) in enumerate(self.tokens):
            if t == '<' and self.is_name(i - 1):
                j = self.close_angle(i)
                if j and self[j + 1] in ('(', '{', '::', '>', ','):
                    self.angle[i], self.angle[j] = j, i

    def __getitem__(self, i):
        return self.tokens[i][0] if 0 <= i < len(self.tokens) else ''

    def is_name(self, i):
        return bool(re.match(r'[A-Za-z_]', self[i])) and self[i] not in KEYWORDS

    def is_value_end(self, i):
        return self.is_name(i) or self[i][:1].isdigit() or self[i] in (')', ']')

    def close_angle(self, i):
        depth = 0
        for j in range(i, min(i + 24, len(self.tokens))):
            t = self[j]
            if t == '<':
                depth += 1
            elif t == '>':
                depth -= 1
                if depth == 0:
                    return j
            elif not re.match(r'[\w:,]', t):
                return None
        return None

    def span(self, i, j):
        """The text of tokens i..j."""
        return self.text[self.tokens[i][1]:self.tokens[j][2]]

    def bodies(self):
        """(row, column, open brace, close brace) of outermost function bodies."""
        found, i, structs, column = [], 0, [], ''
        while i < len(self.tokens):
            t = self[i]
            while structs and i > structs[-1][1]:
                structs.pop()
            if t == 'struct' and self.is_name(i + 1):
                j = i + 2
                while self[j] not in ('{', ';', '>', ',', ''):
                    j = self.match.get(j, j) + 1 if self[j] != '<' else (self.close_angle(j) or j) + 1
                if self[j] == '{':
                    structs.append((self[i + 1], self.match[j]))
                    i = j
            elif t == '=' and self[i - 2] == 'auto':
                column = self[i - 1]
            elif t == '{':
                name = self.function_before(i)
                if name:
                    inner = structs[-1][0] if structs else ''
                    found.append((inner, column if name == '[]' else name, i, self.match[i]))
                    i = self.match[i]
            i += 1
        return found

    def function_before(self, brace):
        j = brace - 1
        for k in range(j, max(j - 8, 0), -1):  # a trailing return type
            if self[k] == '->':
                j = k - 1
                break
            if self[k] in (')', ';', '}', '{', '='):
                break
        while self[j] in ('const', 'noexcept', 'mutable'):
            j -= 1
        if self[j] == ']':
            return '[]' if self[j - 1] in ('[', '&', '=') else None
        if self[j] != ')':
            return None
        j = self.match[j] - 1
        if self[j] == ']':
            return '[]'
        return self[j] if self.is_name(j) else None


def operand_left(s, i, weak):
    """The first token of the operand that ends at i; `weak` operators belong to it."""
    while True:
        if s[i] in (')', ']', '}'):
            i = s.match[i]
            if s.is_value_end(i - 1) or s[i - 1] in ('>', '}'):
                i -= 1
                continue
        elif i in s.angle:
            i = s.angle[i] - 1
        if s[i - 1] in ('.', '->', '::'):
            i -= 2
        elif s[i - 1] in weak and s.is_value_end(i - 2):
            i -= 2
        elif s[i - 1] in ('-', '!', '*', '&') and not s.is_value_end(i - 2) and (s[i - 1] != '-' or '*' in weak):
            return i - 1
        else:
            return i


def operand_right(s, i, weak):
    """The last token of the operand that begins at i."""
    while True:
        if s[i] in ('-', '!', '*', '&'):
            i += 1
            continue
        if s[i] in PAIRS:
            i = s.match[i]
        if i + 1 in s.angle:
            i = s.angle[i + 1]
        if s[i + 1] in ('(', '[') or (s[i + 1] == '{' and (s.is_name(i) or s[i] == '>')):
            i = s.match[i + 1]
            while s[i + 1] in ('(', '['):
                i = s.match[i + 1]
        if s[i + 1] in ('.', '->', '::'):
            i += 2
        elif s[i + 1] in weak:
            i += 2
        else:
            return i


def arguments(s, open_paren):
    """Token ranges of a call's arguments."""
    close, result, i = s.match[open_paren], [], open_paren + 1
    if i == close:
        return []
    first = i
    while i <= close:
        if i == close or s[i] == ',':
            result.append((first, i - 1))
            first = i + 1
        elif s[i] in PAIRS:
            i = s.match[i]
        elif s[i] == '<' and i in s.angle:
            i = s.angle[i]
        i += 1
    return result


def returns_nothing(s, begin, end):
    """Is it a function that returns void, or a constructor behind its list of members?"""
    open_paren = s.match[begin - 1] if s[begin - 1] == ')' else None
    if open_paren is None:
        return False
    if s[open_paren - 1] == ']':
        return not any(s[k] == 'return' and s[k + 1] != ';' for k in range(begin, end))
    return s[open_paren - 2] in ('void', ',', ':') or s[open_paren - 4] == 'void'


def is_truth(s, i, end):
    """Is the expression from i on a comparison, or does it choose among some? These have no sign."""
    found = False
    while i < end:
        found = s[i] != '?' and (found or s[i] in ('<', '>', '<=', '>=', '==', '!=', '&&', '||', '!') and i not in s.angle)
        i = (s.match[i] if s[i] in PAIRS else s.angle.get(i, i) if s[i] == '<' else i) + 1
    return found


def is_declaration(s, i):
    if s[i] in TYPES or s[i] in ('using', 'static', 'struct', 'template'):
        return s[i + 1] not in ('(', '{')
    j = i
    while s[j + 1] == '::':
        j += 2
    if j + 1 in s.angle:
        j = s.angle[j + 1]
    while s[j + 1] in ('const', '&', '*'):
        j += 1
    return s.is_name(j + 1) and s.is_name(j)


def mutations(s, row, column, begin, end):
    """(operator, first token, last token, replacement) for one body."""
    def text(i, j):
        return s.span(i, j)

    in_for = set()
    for i in range(begin, end):
        if s[i] == 'for' and s[i + 1] == '(':
            in_for.update(range(i + 1, s.match[i + 1] + 1))
    in_condition, skipped = set(), set()
    i = begin
    while i < end - 1:
        i += 1
        t = s[i]
        if i in skipped:
            continue
        if i in s.angle and s[i] == '<':
            i = s.angle[i]  # template arguments are types
            continue
        # the size of an array
        if t == '[' and s.is_name(i - 1) and (s[s.match[i] + 1] == '{' or s[s.match[i] + 1] in ('[', ';') and s.is_name(i - 2)):
            i = s.match[i]
            continue
        # how much room is made
        if t in ('var_list', 'scratch_frame', 'nested_equation') and s.is_name(i + 1):
            while s[i] != ';':
                i = s.match[i] if s[i] in PAIRS else i + 1
            continue
        if t[0].isdigit() and (s[i - 1] == 'case' or s[i - 1] in ('<', '>', '<=', '>=') or s[i - 1] == '-' and not s.is_value_end(i - 2) and t == '1'):
            pass  # bounds have neighbours that mean the same, and -1 stands for none
        elif t[0].isdigit():
            if not t.isdigit():
                yield 'constant', i, i, '(%s + 1)' % t
            else:
                yield 'axis' if s[i - 1] in ('[', '=') else 'constant', i, i, str(int(t) + 1)
                if int(t) > 0:
                    yield 'constant', i, i, str(int(t) - 1)
        elif t in ('+', '-') and s.is_value_end(i - 1):
            weak = ('*', '/', '%')
            a, b = operand_left(s, i - 1, weak + ('+', '-')), operand_right(s, i + 1, weak)
            yield 'sign', i, i, '-' if t == '+' else '+'
            yield 'term', a, b, text(a, i - 1)
            yield 'term', a, b, ('-' if t == '-' else '') + '(' + text(i + 1, b) + ')'
        elif t == '-':
            yield 'sign', i, i, ' '
        elif t in ('*', '/') and s.is_value_end(i - 1) and s[i - 1] not in TYPES and (s.is_value_end(i + 1) or s[i + 1] in ('(', '-')):
            a, b = operand_left(s, i - 1, ('*', '/', '%')), operand_right(s, i + 1, ())
            yield 'factor', i, i, '/' if t == '*' else '*'
            yield 'factor', a, b, text(a, i - 1)
            yield 'factor', a, b, text(i + 1, b)
        elif t in ('+=', '-='):
            yield 'sign', i, i, '-=' if t == '+=' else '+='
        elif t == '?':
            j = i + 1
            while s[j] != ':':
                j = s.match[j] + 1 if s[j] in PAIRS else j + 1
            k = j + 1
            while s[k] not in (',', ';', ')', '}', ']'):
                k = s.match[k] + 1 if s[k] in PAIRS else k + 1
            yield 'operands', i + 1, k - 1, text(j + 1, k - 1) + ' : ' + text(i + 1, j - 1)
        elif t == 'if' and s[i + 1] == '(':
            c = s.match[i + 1]
            if s[c - 1] and ';' not in [s[k] for k in range(i + 2, c)]:
                yield 'condition', i + 2, c - 1, '!(' + text(i + 2, c - 1) + ')'
            in_condition.update(range(i + 1, c))
        elif t in ('&&', '||') and i not in in_for:
            yield 'condition', i, i, '||' if t == '&&' else '&&'
        elif t in ('==', '!=') and i not in in_for and not (s[i - 2] == '(' and s[i + 2] == ')' and i in in_condition):
            yield 'condition', i, i, '!=' if t == '==' else '=='
        elif t in ('<', '>', '<=', '>=') and i not in in_for and i not in s.angle:
            yield 'condition', i, i, {'<': '>=', '>=': '<', '>': '<=', '<=': '>'}[t]
        elif t == '!' and s[i + 1] != '=':
            yield 'condition', i, i, ' '
        elif t in ('axis', 'last') and not s.is_name(i - 1) and s[i + 1] != '=' and s[i - 1] not in ('&', '*', '.'):
            yield 'axis', i, i, '(%s + 1)' % t
        elif s.is_name(i) and t not in CASTS and (s[i + 1] == '(' or (i + 1 in s.angle and s[s.angle[i + 1] + 1] == '(')):
            p = i + 1 if s[i + 1] == '(' else s.angle[i + 1] + 1
            first = i
            while s[first - 1] in ('::', '.', '->'):
                first -= 2
            if s[first] in (')', ']') or s.is_name(first - 1) and s[first - 1] not in KEYWORDS:
                continue
            args, c = arguments(s, p), s.match[p]
            either = t in COMMUTATIVE or t == 'apply' and i + 1 in s.angle and s[i + 2] in COMMUTATIVE_ROWS
            if t == 'full_like':  # reads the type of its first argument alone
                skipped.update(range(args[0][0], args[0][1] + 1))
            if t == 'attr':
                yield 'axis', first, c, '(' + text(first, c) + ' + 1)'
                continue
            for a, b in args:
                if s[first - 1] not in (';', '{', '}'):
                    yield 'call', first, c, '(' + text(a, b) + ')'
            for (a, b), (x, y) in zip(args, args[1:]):
                if not either and text(a, b) != text(x, y):
                    yield 'operands', a, y, text(x, y) + ', ' + text(a, b)
        # statements
        if i not in in_for and (s[i - 1] in (';', '{', '}') or (s[i - 1] == ')' and s[s.match[i - 1] - 1] in ('if', 'for')) or s[i - 1] == 'else'):
            if s[i - 1] == '{' and s[i - 2] in ('=', ',', '{', 'return', '(', ']') or t in ('{', '}', ';'):
                continue
            j = i
            while s[j] not in (';', ')', '}', ']'):
                j = s.match[j] + 1 if s[j] in PAIRS else j + 1
            if s[j] != ';' or t in ('case', 'default'):  # a part of a statement's head, or of a list
                continue
            if t == 'return' and j > i + 1:
                if s[i + 1] != '{' and not is_truth(s, i + 1, j) and column not in ('role_of', 'spread', 'extends'):
                    yield 'sign', i + 1, j - 1, '-(' + text(i + 1, j - 1) + ')'
                if column in ('jvp', 'transpose'):
                    yield 'term', i + 1, j - 1, 'var{}'
                continue
            if t in ('continue', 'break', 'return'):
                yield 'statement', i, j, ';'
            elif (s.is_name(i) or t in ('++', '--', '(')) and t not in KEYWORDS | {'else', 'do', 'using'} and not is_declaration(s, i):
                yield 'statement', i, j, ';'
                if t == 'out' and s[i + 1] == '[' and column in ('jvp', 'tangents', 'transposed', 'expand', 'tangent', 'tangents_alike'):
                    e = s.match[i + 1] + 1
                    if s[e] == '=':
                        g = 'g' if column == 'expand' else '*e.g'
                        yield 'sign', e + 1, j - 1, 'etna::negated(%s, %s)' % (g, text(e + 1, j - 1))


HEADER = '''
#include <cstdlib>
#include <cstdio>
#include <type_traits>
namespace etna {
namespace mutants {
inline int const chosen = std::getenv("ETNA_MUTANT") ? std::atoi(std::getenv("ETNA_MUTANT")) : 0;
// With ETNA_MUTANT=-1 no mistake is made, and the program says which it could have made.
struct reached_list {
  bool at[%d]{};
  ~reached_list() {
    for (int i = 0; chosen < 0 && i < int(sizeof(at)); ++i)
      if (at[i]) std::fprintf(stderr, "reached %%d\\n", i);
  }
};
inline reached_list reached;
inline bool is_chosen(int n) {
  if (chosen < 0) reached.at[n] = true;
  return n == chosen;
}
}
constexpr bool mutant(int n) {
  if (__builtin_is_constant_evaluated()) return false;
  return mutants::is_chosen(n);
}
}
'''
WITHIN = '''#include <cstdlib>
namespace etna {
constexpr int within(int k, int n) {
  if (k < 0 || k >= n) std::abort();
  return k;
}
}
namespace etna::tracing {'''
NEGATED = '''
namespace etna {
constexpr tracing::var negated(tracing::graph&, tracing::var x) { return x ? -x : x; }
constexpr int negated(tracing::graph& g, int id) { return id < 0 ? id : (-tracing::var{&g, id}).id; }
}
namespace etna::ops {
'''


def write(source, target, listing, pattern='', dropped=''):
    drop = set(open(dropped).read().split()) if dropped and os.path.exists(dropped) else set()
    wanted = re.compile(pattern or '.')
    number, rows, count, folder = 0, [], {}, os.path.join(source, 'include/etna/ops')
    for name in sorted(os.listdir(folder)):
        if name in FILES_WITHOUT_RULES:
            continue
        s = Source(open(os.path.join(folder, name)).read())
        pieces, at = [], 0
        for row, column, begin, end in s.bodies():
            if column in NOT_RULES or row == 'erf_inv_p' and column != 'jvp':
                continue
            made, seen = [], set()
            for operator, i, j, text in mutations(s, row, column, begin, end):
                a, b = s.tokens[i][1], s.tokens[j][2]
                if s.text[a:b] == text or (a, b, text) in seen:
                    continue
                seen.add((a, b, text))
                line = s.text.count('\n', 0, a) + 1
                what = '%s:%d %s %s' % (name, line, row, column)
                key = re.sub(r'\s+', '~', '%s|%s|%s|%s|%s|%s' % (name, row, column, operator, s.text[a:b], text))
                count[key] = count.get(key, 0) + 1
                key += '|%d' % count[key]
                number += 1
                if not wanted.search(what):
                    continue
                if key in drop:
                    continue
                rows.append((number, what, operator, s.text[a:b], text, key))
                inside = s.text[s.tokens[begin][2]:a] + text + s.text[b:s.tokens[end][1]]
                inside = re.sub(r'//[^\n]*', '', inside)
                leave = 'return;' if returns_nothing(s, begin, end) else ''
                made.append('\nif (::etna::mutant(%d)) {  // mutant %d\n%s\n%s }  // end %d\n' % (number, number, inside.strip(), leave, number))
            if made:
                cut = s.tokens[begin][2]
                pieces += [s.text[at:cut]] + made
                at = cut
        pieces.append(s.text[at:])
        out = ''.join(pieces)
        if name == 'build.hpp':
            out += NEGATED.split('namespace etna::ops')[0]
        with open(os.path.join(target, 'include/etna/ops', name), 'w') as f:
            f.write(out)
    with open(os.path.join(target, 'include/etna/ops/list.hpp'), 'w') as f:
        f.write(open(os.path.join(folder, 'list.hpp')).read() + HEADER % (number + 1))
    # an operand or attribute that is not there
    path = 'include/etna/tracing/emit.hpp'
    text = open(os.path.join(source, path)).read()
    text = text.replace('info().edge + k]', 'info().edge + etna::within(k, info().operands)]').replace('info().attr + i]', 'info().attr + etna::within(i, info().attrs)]')
    text = text.replace('namespace etna::tracing {', WITHIN, 1)
    with open(os.path.join(target, path), 'w') as f:
        f.write(text)
    # what has not been written is the same each time
    path = 'include/etna/tracing/graph.hpp'
    text = open(os.path.join(source, path)).read()
    text = text.replace('else g.n_scratch += n;', 'else { for (int i = 0; i < n && !__builtin_is_constant_evaluated(); ++i) g.scratch[from + i] = 0; g.n_scratch += n; }', 1)
    text = text.replace('heap = new int[std::size_t(n + 1)];', 'heap = new int[std::size_t(n + 1)]{};', 1)
    with open(os.path.join(target, path), 'w') as f:
        f.write(text)
    with open(listing, 'w') as f:
        for number, what, operator, old, new, key in rows:
            f.write('%d\t%s\t%s\t%s\t%s\t%s\n' % (number, what, operator, re.sub(r'\s+', ' ', old), re.sub(r'\s+', ' ', new), key))
    print(len(rows))


def errors(listing, dropped):
    keys = {r.split('\t')[0]: r.rstrip('\n').split('\t')[5] for r in open(listing)}
    ranges = {}
    bad = set()
    for line in sys.stdin:
        for path, at in re.findall(r'(\S*include/etna/ops/\w+\.hpp):(\d+)', line):
            if path not in ranges:
                inside, ranges[path] = None, {}
                for k, l in enumerate(open(path), 1):
                    m = re.search(r'// (mutant|end) (\d+)$', l)
                    inside = m.group(2) if m and m.group(1) == 'mutant' else inside
                    ranges[path][k] = inside
                    inside = None if m and m.group(1) == 'end' else inside
            if ranges[path].get(int(at)) and ('error' in line or 'required from' in line):
                bad.add(ranges[path][int(at)])
    with open(dropped, 'a') as f:
        for n in sorted(bad, key=int):
            f.write(keys[n] + '\n')
    print(len(bad))


def run(listing, survivors, *programs):
    """Runs each mutant in the programs that reach it, until one fails; the others are printed, and kept in `survivors`."""
    mutants = [r.rstrip('\n').split('\t') for r in open(listing)]

    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def start(program, number):
        # memory is zeros before it is written (the complement of 255), so that what a mutant leaves unwritten is the same each time
        known = {'ETNA_MUTANT': str(number), 'OMP_NUM_THREADS': '1', 'MALLOC_PERTURB_': '255'}
        return subprocess.run([program, '--abort-after=1'], env={**os.environ, **known},
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=5 if number != -1 else 300, preexec_fn=limits)

    reached = {}
    for p in programs:
        done = start(p, -1)
        if done.returncode != 0:
            sys.exit(p + ' fails without any mutant')
        reached[p] = set(re.findall(r'reached (\d+)', done.stderr.decode()))
    caught, left, log = {p: 0 for p in programs}, [], open(survivors + '.log', 'w')
    for number, what, operator, old, new, key in mutants:
        by = None
        for p in programs:
            if number not in reached[p]:
                continue
            try:
                failed = start(p, number).returncode != 0
            except subprocess.TimeoutExpired:
                failed = True
            if failed:
                by = p
                break
        print(number, os.path.basename(by) if by else 'left', file=log, flush=True)
        if by:
            caught[by] += 1
        else:
            seen = any(number in r for r in reached.values())
            left.append((number, what, operator, old, new, key, seen))
    lines = [r.rstrip('\n') for r in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'excused.txt'))]
    excuses = [re.compile(r.split('\t')[0]) for r in lines if r and not r.startswith('#')]
    all_left, left = len(left), [m for m in left if not any(e.search(m[5]) for e in excuses)]
    with open(survivors, 'w') as f:
        for m in left:
            f.write('%s\t%s\t%s\t%s\t%s\t%s\n' % (m[0], m[1], m[2] if m[6] else m[2] + ' (not reached)', m[3], m[4], m[5]))
    for m in left:
        print('%s: %s  %s -> %s' % (m[1], m[2] if m[6] else m[2] + ', not reached', m[3], m[4]))
    print('%d mutants that compile: %s, %d excused, %d left' % (
        len(mutants), ', '.join('%d caught by %s' % (n, os.path.basename(p)) for p, n in caught.items()), all_left - len(left), len(left)))
    sys.exit(1 if left else 0)


if __name__ == '__main__':
    {'write': write, 'errors': errors, 'run': run}[sys.argv[1]](*sys.argv[2:])
