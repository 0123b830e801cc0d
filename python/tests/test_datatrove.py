import pickle

import pytest
from datatrove.data import Document
from datatrove.pipeline.dedup import (
    ExactDedupConfig,
    ExactDedupFilter,
    ExactDedupSignature,
    ExactFindDedups,
)

from urlmill.datatrove import UrlContent


def document(number, url, field="url"):
    return Document(text="t", id=str(number), metadata={field: url})


def test_text_that_is_not_a_url_has_a_key_of_its_own():
    key_of = pickle.loads(pickle.dumps(UrlContent(fragment="keep")))
    assert key_of(document(1, "HTTP://A/?b&a#c")) == "http://a/?a&b#c"
    assert key_of(document(2, "no url")).startswith("no url ")
    assert key_of(document(2, "no url")) != key_of(document(2, "no url"))
    assert UrlContent("link")(document(3, "HTTP://A", "link")) == "http://a/"
    with pytest.raises(KeyError):
        key_of(document(4, "http://a/", "link"))


def test_datatrove_dedupes_by_it(tmp_path):
    pages = ["HTTP://A/?b&a#c", "http://a/?a&b", "http://b/", "http://b/?utm_source=x", "x", "x"]
    documents = [document(at, url) for at, url in enumerate(pages)]
    config = ExactDedupConfig(content_getter=UrlContent())
    signatures, repeats = f"{tmp_path}/signatures", f"{tmp_path}/repeats"
    ExactDedupSignature(signatures, config).run(documents)
    ExactFindDedups(signatures, repeats, config).run()
    kept = ExactDedupFilter(repeats, config).run(documents)
    assert [row.id for row in kept] == ["0", "2", "4", "5"]
