import pickle

import pytest

from urlmill.datatrove import UrlNormalizer


def test_text_that_is_not_a_url_has_a_key_of_its_own():
    normalize = pickle.loads(pickle.dumps(UrlNormalizer(fragment="keep")))
    assert normalize("HTTP://A/?b&a#c") == "http://a/?a&b#c"
    assert normalize("no url").startswith("no url ")
    assert normalize("no url") != normalize("no url")


@pytest.mark.filterwarnings("ignore")
def test_datatrove_dedupes_by_it(tmp_path):
    pytest.importorskip("datatrove")
    dedup = pytest.importorskip("datatrove.pipeline.dedup.url_dedup")
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers.jsonl import JsonlWriter

    pages = ["HTTP://A/?b&a#c", "http://a/?a&b", "http://b/", "http://b/?utm_source=x", "x", "x"]
    documents = [
        Document(text="t", id=str(at), metadata={"url": url}) for at, url in enumerate(pages)
    ]
    config = dedup.UrlDedupConfig(url_normalizer=UrlNormalizer())
    folder = str(tmp_path)
    stages = [
        [documents, dedup.UrlDedupSignature(f"{folder}/sigs", config=config)],
        [dedup.UrlFindDedups(f"{folder}/sigs", f"{folder}/dups", config=config)],
        [
            documents,
            dedup.UrlDedupFilter(f"{folder}/dups", config=config),
            JsonlWriter(f"{folder}/out", compression=None),
        ],
    ]
    for at, pipeline in enumerate(stages):
        LocalPipelineExecutor(pipeline, logging_dir=f"{folder}/log{at}").run()
    lines = [line for file in (tmp_path / "out").iterdir() for line in file.read_text().split("\n")]
    assert len([line for line in lines if line]) == 4
