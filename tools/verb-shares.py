# How often the words of standard input are verbs, by HanTa 1.2.1 (PyPI), whose model of English is
# trained on the British National Corpus: a word and its share a line, for tools/verbs.ts.
# Words that the model only guesses are left out.
import math
import sys

from HanTa import HanoverTagger

tagger = HanoverTagger.HanoverTagger('morphmodel_en.pgz')
BASE_FORMS = {'VVI', 'VVB'}
OTHER_FORMS = {'VVN', 'VVD', 'UNC', 'CRD'}

for word in map(str.strip, sys.stdin):
    if not (word.isalpha() and word.islower() and len(word) > 1):
        continue
    tags = tagger.tag_word(word, cutoff=10)
    if not tags or tags[0][1] < -24:
        continue
    verb = sum(math.exp(p) for tag, p in tags if tag in BASE_FORMS)
    other = sum(math.exp(p) for tag, p in tags if tag not in BASE_FORMS | OTHER_FORMS)
    if verb > 0:
        print(word, round(verb / (verb + other), 3))
